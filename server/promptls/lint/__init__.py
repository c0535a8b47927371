"""What rules stand on: what they look at, how they change text, and classes of characters."""
