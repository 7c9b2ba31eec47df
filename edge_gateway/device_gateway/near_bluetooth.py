"""All Bluetooth that is near the mowers as one room: bridges of ours, and what Home Assistant lends."""

from collections.abc import Callable, Sequence
from typing import override

from edge_gateway.contracts.mower import LinkKind
from edge_gateway.device_gateway.bluetooth import Bluetooth, Path


class NearBluetooth(Bluetooth):
    """Several rooms as one; a carrier is in one of them."""

    def __init__(self, rooms: Sequence[Bluetooth]) -> None:
        """Reach mowers over any of these."""
        self._rooms = tuple(rooms)

    @override
    def wish(self, name: str, kinds: frozenset[LinkKind]) -> None:
        for room in self._rooms:
            room.wish(name, kinds)

    @override
    def paths(self, name: str) -> tuple[Path, ...]:
        return tuple(path for room in self._rooms for path in room.paths(name))

    @override
    def works(self, carrier_id: str) -> bool:
        return any(room.works(carrier_id) for room in self._rooms)

    @override
    def carriers(self, kind: LinkKind) -> frozenset[str]:
        return frozenset().union(*(room.carriers(kind) for room in self._rooms))

    @override
    def watch(self, changed: Callable[[], None]) -> Callable[[], None]:
        undo = [room.watch(changed) for room in self._rooms]

        def end() -> None:
            for one in undo:
                one()

        return end

    @override
    def pin(self, address: str, carrier_id: str | None) -> None:
        for room in self._rooms:
            # A room that does not know the carrier would let the address be connected over any.
            if carrier_id is None or room.works(carrier_id):
                room.pin(address, carrier_id)

    @override
    def heard(self, carrier_id: str) -> None:
        for room in self._rooms:
            room.heard(carrier_id)

    @override
    def turned_away(self, carrier_id: str, *, reason: str) -> None:
        for room in self._rooms:
            room.turned_away(carrier_id, reason=reason)
