"""Settings files: found, read and checked by the names that there are, and edited."""
