"""The only SQL of the Fleet, by topic."""

from edge_gateway.database.pools import Connection

__all__ = ["Connection"]
