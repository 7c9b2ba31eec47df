"""Bridges on a real database, against emulated ones on loopback."""
