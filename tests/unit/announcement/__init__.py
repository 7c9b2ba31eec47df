"""What is announced, and where."""
