"""The announcement in a real network: loopback."""
