"""What was found, written down: one module for each way of saying it."""
