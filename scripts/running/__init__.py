"""Runs the whole road on one machine: the gateway, and a real Home Assistant with MowDeck installed."""
