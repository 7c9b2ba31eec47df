"""Where simulated machines are kept while the gateway is away."""

from typing import Protocol, override


class MachineStore(Protocol):
    """Keeps machines by vendor key, as JSON. Raises `UnavailableError` when it cannot."""

    async def save_machine(self, vendor_key: str, machine: str) -> None:
        """Keep a machine as it is now."""
        ...

    async def machine(self, vendor_key: str) -> str | None:
        """Return a machine as it was kept last, null when it never was."""
        ...


class MemoryStore(MachineStore):
    """Keeps machines for as long as the process lives."""

    def __init__(self) -> None:
        """Begin empty."""
        self._machines: dict[str, str] = {}

    @override
    async def save_machine(self, vendor_key: str, machine: str) -> None:
        self._machines[vendor_key] = machine

    @override
    async def machine(self, vendor_key: str) -> str | None:
        return self._machines.get(vendor_key)
