"""Starts and stops a local PostgreSQL and NATS server as children of the program."""
