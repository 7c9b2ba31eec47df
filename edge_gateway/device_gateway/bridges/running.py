"""Runs the bridges whose lease this gateway holds, and looks at their health: a bridge serves one at a time."""

import asyncio
from collections.abc import Iterable

import msgspec
import structlog

from edge_gateway.bus.protocol import EventBus, Lease
from edge_gateway.contracts.bridges import BridgeFinding
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.errors import ConfigurationError, MowDeckError
from edge_gateway.device_gateway.bridges.client import Target, mac_of
from edge_gateway.device_gateway.bridges.health.book import HealthBook
from edge_gateway.device_gateway.bridges.neighbourhood import Neighbourhood
from edge_gateway.device_gateway.bridges.repository import Repository, StoredBridge
from edge_gateway.device_gateway.bridges.settings import BridgesSettings
from edge_gateway.device_gateway.bridges.told_bridges import ToldBridges
from edge_gateway.device_gateway.bridges.view import shown
from edge_gateway.device_gateway.change_teller import ChangeTeller

_log = structlog.get_logger(__name__)

_LOOK_SECONDS = 10.0
"""How often rows and leases are looked at when nobody asks for it."""


class RunningBridges:
    """Puts into the neighbourhood what is kept and not another gateway's, and tells of what is wrong with it."""

    def __init__(
        self,
        bus: EventBus,
        clock: Clock,
        repository: Repository,
        neighbourhood: Neighbourhood,
        teller: ChangeTeller,
        *,
        settings: BridgesSettings,
        instance_id: str,
    ) -> None:
        """Hold leases as this instance; nothing happens before `start`."""
        self._bus = bus
        self._clock = clock
        self._repository = repository
        self._neighbourhood = neighbourhood
        self._teller = teller
        self._settings = settings
        self._instance_id = instance_id
        self._health = HealthBook()
        self._told = ToldBridges()
        self._rows: dict[str, StoredBridge] = {}
        """What is kept of each bridge, as it was last read."""
        self._leases: dict[str, Lease] = {}
        self._changed = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin to try for the leases; returns at once."""
        loop = asyncio.get_running_loop()
        self._tasks = [
            loop.create_task(self._run(), name="bridges"),
            loop.create_task(self._check_health(), name="health of bridges"),
        ]

    def look_now(self) -> None:
        """Look at the rows now: one was changed."""
        self._changed.set()

    async def stop(self) -> None:
        """Let go of every bridge and give the leases back."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._neighbourhood.stop()
        for lease in self._leases.values():
            await lease.release()
        self._leases.clear()

    def findings(self, stored: Iterable[StoredBridge]) -> tuple[BridgeFinding, ...]:
        """Return what is wrong with bridges, each called what its owner calls it now."""
        names = {bridge.id: bridge.name for bridge in stored}
        found = self._health.findings(names)
        return tuple(msgspec.structs.replace(one, bridge_name=names[one.bridge_id]) for one in found)

    def target(self, bridge: StoredBridge) -> Target:
        """Return where a bridge is and how it is spoken to; raises `ConfigurationError` (`secret_unreadable`)."""
        return Target(
            bridge_id=bridge.id,
            host=bridge.host,
            port=bridge.port,
            key=self._repository.open(bridge),
            expected_mac=mac_of(bridge.expected_mac),
        )

    async def _run(self) -> None:
        """Run the bridges whose leases can be had, for ever; a database or bus that is away is waited for."""
        remembered = False
        while True:
            self._changed.clear()
            try:
                if not remembered:
                    self._neighbourhood.start(await self._repository.addresses())
                    remembered = True
                await self._take(await self._repository.bridges())
            except MowDeckError as error:
                _log.warning("bridges not looked at", code=error.code)
            except Exception:  # noqa: BLE001  # whatever fails here must not end the looking; it is logged
                _log.exception("bridges not looked at")
            try:
                async with asyncio.timeout(_LOOK_SECONDS):
                    await self._changed.wait()
            except TimeoutError:
                continue

    async def _take(self, stored: tuple[StoredBridge, ...]) -> None:
        self._rows = wanted = {bridge.id: bridge for bridge in stored}
        for bridge_id in {*self._leases, *self._neighbourhood.bridges}:
            lease = self._leases.get(bridge_id)
            if bridge_id not in wanted or lease is None or not lease.held:
                await self._neighbourhood.remove(bridge_id)
                self._health.forget(bridge_id)
                self._told.forget(bridge_id)
                if (ours := self._leases.pop(bridge_id, None)) is not None:
                    await ours.release()
        for bridge in stored:
            if bridge.id not in self._leases:
                lease = await self._bus.acquire_lease(f"bridge-{bridge.id}", holder=self._instance_id)
                if lease is None:
                    continue
                self._leases[bridge.id] = lease
            try:
                await self._neighbourhood.put(self.target(bridge))
            except ConfigurationError as error:
                _log.error("key of a bridge not readable", bridge=bridge.id, code=error.code)

    async def _check_health(self) -> None:
        while True:
            await asyncio.sleep(self._settings.check_seconds)
            for bridge_id, bridge in tuple(self._neighbourhood.bridges.items()):
                stored = self._rows.get(bridge_id)
                if stored is None:
                    continue
                try:
                    self._health.look(bridge_id, stored.name, bridge.facts(), now=self._clock.now())
                    await self._tell(stored)
                except Exception:  # noqa: BLE001  # what is wrong with one bridge must not end the looking; it is logged
                    _log.exception("health of a bridge not looked at", bridge=bridge_id)

    async def _tell(self, stored: StoredBridge) -> None:
        """Tell of a bridge that is not what it was, until it could be told."""
        bridge, findings = shown(stored, self._neighbourhood), self._health.findings([stored.id])
        if self._told.is_news(bridge, findings) and await self._teller.bridge(bridge.id, bridge.account_id):
            self._told.keep(bridge, findings)
