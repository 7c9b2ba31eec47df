"""The adapter: which mowers there are, and a driver for each."""

from typing import override

from edge_gateway.contracts.clock import Clock
from edge_gateway.device_gateway.provider import Driver, FoundMower, Provider, ProviderListener
from edge_gateway.device_gateway.vendor_memory import MemoryStore
from tests.provider.template.driver import ExampleDriver
from tests.provider.template.machine import ExampleMower


class ExampleProvider(Provider):
    """The mowers that answer in the house's network."""

    name = "example"

    def __init__(self, mowers: tuple[ExampleMower, ...], *, clock: Clock, store: MemoryStore) -> None:
        """Offer these mowers; a real vendor's are looked for in `start`."""
        self._mowers = {mower.serial: mower for mower in mowers}
        self._clock = clock
        self._store = store

    @override
    async def start(self, listener: ProviderListener) -> None:
        # A vendor that tells them adds the firmware that a mower has and the newest, and tells again when they change.
        for serial in self._mowers:
            await listener.mower_found(FoundMower(vendor_key=serial, name=f"Example {serial}", serial_number=serial))

    @override
    async def stop(self) -> None:
        """Disconnect; a real vendor's connections, or its session, end here."""

    @override
    def driver(self, found: FoundMower, *, mower_id: str, account_id: str) -> Driver:
        mower = self._mowers[found.vendor_key]
        return ExampleDriver(mower, self._clock, self._store, mower_id=mower_id, account_id=account_id)
