"""Measurements of tokenizers and of texts, as plain data; and pictures of them."""
