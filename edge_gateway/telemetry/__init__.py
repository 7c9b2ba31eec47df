"""Telemetry: every state of every mower, batched into PostgreSQL."""
