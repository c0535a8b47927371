"""The algorithms that make a vocabulary from a corpus. One file per algorithm."""
