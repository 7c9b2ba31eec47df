"""The gateway's Bluetooth bridges: their mirrors, and with them their devices and entities."""

from typing import override

from .followed import Followed
from .happenings import BRIDGE_CHANGED
from .mirrors import Kind


class Bridges(Followed):
    """The bridges of one gateway."""

    kind = Kind.BRIDGE
    event = BRIDGE_CHANGED

    @override
    async def _look(self) -> None:
        mirrors, roster = self._hub.mirrors, self._hub.bridges
        for bridge_id in tuple(roster.views):
            if mirrors.find(self.kind, bridge_id) is None:
                # Deleted here; should the gateway keep it, it comes anew.
                roster.remove(bridge_id)
        bridges = await self._hub.client.get_bridges()
        mirrors.take(self.kind, {bridge.id: bridge.name for bridge in bridges})
        shown = [bridge for bridge in bridges if mirrors.find(self.kind, bridge.id) is not None]
        await roster.replace(shown)
        for bridge_id in roster.missing():
            roster.remove(bridge_id)
        self._hub.devices.remove_other_bridges(roster.views.keys())
