"""The algorithms that make a vocabulary from a corpus: each its model and its trainer."""
