"""Tokenizer files, our own and foreign ones. One file per format."""
