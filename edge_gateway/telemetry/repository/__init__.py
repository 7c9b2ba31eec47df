"""The only SQL of Telemetry: its statements are built once, one per table."""

from edge_gateway.database.pools import Connection

__all__ = ["SCHEMA", "Connection"]

SCHEMA = "telemetry"
