"""Logins at vendors on a real database: a scripted vendor, and Mammotion with the real library."""
