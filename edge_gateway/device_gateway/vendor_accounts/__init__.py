"""Logins at vendors: kept encrypted, one owner each at a time, their providers run in the gateway's host."""
