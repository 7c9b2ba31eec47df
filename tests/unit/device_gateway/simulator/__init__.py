"""The simulated machine and its driver, without a server."""
