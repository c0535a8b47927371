"""Tokenizer models from files, ours and foreign, as encodings. One file per format."""
