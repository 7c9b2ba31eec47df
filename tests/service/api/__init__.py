"""The API as a real server over a real bus and a real database."""
