"""Bluetooth that Home Assistant lends: connections, and what becomes of writes."""
