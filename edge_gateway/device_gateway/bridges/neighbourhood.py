"""The bridges that run here as one room: which mowers they hear, and over which of them each is reached."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, override

import structlog

from edge_gateway.contracts.mower import LinkKind
from edge_gateway.device_gateway.bluetooth import Bluetooth, Path
from edge_gateway.device_gateway.bridges.bridge import Bridge
from edge_gateway.device_gateway.bridges.client import Target
from edge_gateway.device_gateway.bridges.settings import BridgesSettings
from edge_gateway.device_gateway.radio import Radio

_log = structlog.get_logger(__name__)

NO_SLOT = "no_slots"
_NEAR_SECONDS = 180.0
"""A mower that was heard so lately is near."""
_NAMES_MAXIMUM = 2000
"""A street full of phones is not remembered for ever."""

type Remember = Callable[[str, str], Coroutine[Any, Any, None]]
"""Keeps which address a mower's name has."""


class Neighbourhood(Bluetooth):
    """The running bridges."""

    def __init__(self, radio: Radio, settings: BridgesSettings, *, remember: Remember) -> None:
        """Reach mowers over bridges that are added later."""
        self.radio = radio
        self._settings = settings
        self._remember = remember
        self._bridges: dict[str, Bridge] = {}
        self._addresses: dict[str, str] = {}
        """The Bluetooth address by the advertised name."""
        self._wanted: set[str] = set()
        """The names of mowers that somebody asked for."""
        self._watchers: list[Callable[[], None]] = []
        self._looking: asyncio.Task[None] | None = None
        self._remembering: set[asyncio.Task[None]] = set()
        radio.watch(self._device_heard)

    @property
    def bridges(self) -> Mapping[str, Bridge]:
        """The running bridges by their ids."""
        return self._bridges

    def start(self, addresses: Mapping[str, str]) -> None:
        """Watch the bridges; `addresses` is what was remembered, by name."""
        self._addresses.update(addresses)
        self._looking = asyncio.get_running_loop().create_task(self._look(), name="bridges")

    async def stop(self) -> None:
        """Let go of every bridge."""
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, *self._remembering, return_exceptions=True)
        await asyncio.gather(*(self.remove(bridge_id) for bridge_id in tuple(self._bridges)))

    async def put(self, target: Target) -> None:
        """Run a bridge, anew when it is spoken to differently than before."""
        running = self._bridges.get(target.bridge_id)
        if running is not None and running.target == target:
            return
        await self.remove(target.bridge_id)
        await self.radio.start()
        bridge = self._bridges[target.bridge_id] = Bridge(
            target, radio=self.radio, settings=self._settings, changed=self._changed
        )
        await bridge.start()

    async def remove(self, bridge_id: str) -> None:
        """Run a bridge no longer."""
        bridge = self._bridges.pop(bridge_id, None)
        if bridge is not None:
            await bridge.stop()
            self._tell()

    def names(self, bridge_id: str) -> tuple[str, ...]:
        """Return the mowers of ours that a bridge hears."""
        found = {name for name in self._wanted for path in self.paths(name) if path.carrier_id == bridge_id}
        return tuple(sorted(found))

    @override
    def paths(self, name: str) -> tuple[Path, ...]:
        address = self._addresses.get(name)
        if name not in self._wanted:
            self._wanted.add(name)
            if address is not None:
                self._keep(name, address)
        if address is None:
            return ()
        by_source = {bridge.source: bridge for bridge in self._bridges.values() if bridge.works}
        return tuple(
            Path(
                kind=LinkKind.BRIDGE,
                carrier_id=by_source[seen.source].target.bridge_id,
                address=address,
                device=seen.device,
                signal_dbm=seen.signal_dbm,
                free_slots=seen.free_slots,
                age_seconds=seen.age_seconds,
            )
            for seen in self.radio.sightings(address)
            if seen.source in by_source
        )

    @override
    def works(self, carrier_id: str) -> bool:
        bridge = self._bridges.get(carrier_id)
        return bridge is not None and bridge.works

    @override
    def carriers(self, kind: LinkKind) -> frozenset[str]:
        if kind is not LinkKind.BRIDGE:
            return frozenset()
        return frozenset(bridge_id for bridge_id, bridge in self._bridges.items() if bridge.works)

    @override
    def watch(self, changed: Callable[[], None]) -> Callable[[], None]:
        self._watchers.append(changed)
        return lambda: self._watchers.remove(changed)

    @override
    def pin(self, address: str, carrier_id: str | None) -> None:
        bridge = None if carrier_id is None else self._bridges.get(carrier_id)
        self.radio.pin(address, None if bridge is None else bridge.source)

    @override
    def heard(self, carrier_id: str) -> None:
        bridge = self._bridges.get(carrier_id)
        if bridge is not None:
            bridge.memory.notified_at = bridge.memory.monotonic()

    @override
    def turned_away(self, carrier_id: str, *, reason: str) -> None:
        bridge = self._bridges.get(carrier_id)
        if bridge is not None and reason == NO_SLOT:
            bridge.memory.refused_for_slots()
        elif bridge is not None and not reason:
            bridge.memory.connected_a_mower()

    def _device_heard(self, address: str, name: str) -> None:
        before = self._addresses.get(name)
        if before is None and name not in self._wanted and len(self._addresses) >= _NAMES_MAXIMUM:
            return
        # Kept at once: the library tells of an advertisement that stays the same only once.
        self._addresses[name] = address
        if name not in self._wanted:
            return
        if before != address:
            self._keep(name, address)
        self._tell()

    def _keep(self, name: str, address: str) -> None:
        task = asyncio.get_running_loop().create_task(self._remember(name, address))
        self._remembering.add(task)
        task.add_done_callback(self._remembering.discard)

    def _changed(self, bridge: Bridge) -> None:
        del bridge
        self._tell()

    def _tell(self) -> None:
        for changed in tuple(self._watchers):
            changed()

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(min(self._settings.check_seconds, self._settings.silence_seconds / 3))
            for bridge in tuple(self._bridges.values()):
                bridge.look(expects_mower=self._expects(bridge))

    def _expects(self, bridge: Bridge) -> bool:
        """Tell whether a mower should be heard over a bridge: it was, not long ago, and it is not connected over it.

        A garden may have nothing else that advertises, and who is connected, over whatever, does not.
        """
        addresses = (address for name in self._wanted if (address := self._addresses.get(name)) is not None)
        return any(
            seen.source == bridge.source and seen.age_seconds <= _NEAR_SECONDS and not seen.connected
            for address in addresses
            if self.radio.pinned(address) in {None, bridge.source}
            for seen in self.radio.sightings(address)
        )
