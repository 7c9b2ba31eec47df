"""The fleet: mowers, sites, rights and commands."""
