"""One module for each request that the server answers, or for each thing that it says."""
