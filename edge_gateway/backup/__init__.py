"""Copies of everything that cannot be made anew: made while the gateway runs, verified, and brought back."""
