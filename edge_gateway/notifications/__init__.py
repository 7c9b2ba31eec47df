"""Notifications: rules over what mowers report, and events that are told once."""
