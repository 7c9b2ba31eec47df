"""The bus on a NATS server with JetStream (2.14 or later)."""

from edge_gateway.bus.jetstream.bus import JetStreamBus

__all__ = ["JetStreamBus"]
