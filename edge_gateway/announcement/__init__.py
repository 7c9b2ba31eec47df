"""The gateway tells of itself in the network, so that Home Assistant finds it."""
