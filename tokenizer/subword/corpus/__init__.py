"""Reading and counting corpora, on one machine or a cluster."""
