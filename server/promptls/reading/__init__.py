"""What is known of a prompt file: its messages and how many tokens they have, and why so many."""
