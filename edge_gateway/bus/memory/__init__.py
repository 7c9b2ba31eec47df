"""The in-memory twin of the bus: the same contract without a server, for tests and for one process alone."""

from edge_gateway.bus.memory.bus import MemoryBus
from edge_gateway.bus.memory.server import MemoryServer

__all__ = ["MemoryBus", "MemoryServer"]
