"""The Fleet on a real database and a real bus."""
