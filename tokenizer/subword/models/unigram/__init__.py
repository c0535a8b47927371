"""The unigram language model: the model and its trainer, and the lattice that both search."""
