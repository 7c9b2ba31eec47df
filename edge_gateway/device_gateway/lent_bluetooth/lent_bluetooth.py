"""The Home Assistants that lend their Bluetooth, as one room: over which of them each mower is reached."""

from collections.abc import Callable
from typing import override

from edge_gateway.contracts.bluetooth_lending import Hello
from edge_gateway.contracts.bluetooth_relay import COLLECT_SECONDS
from edge_gateway.contracts.errors import ConflictError, NotFoundError
from edge_gateway.contracts.mower import LinkKind
from edge_gateway.device_gateway.bluetooth import Bluetooth, Path
from edge_gateway.device_gateway.bridges.settings import BridgesSettings
from edge_gateway.device_gateway.lent_bluetooth.client import Seconds
from edge_gateway.device_gateway.lent_bluetooth.session import LentSession
from edge_gateway.device_gateway.radio import Radio

_SESSIONS_MAXIMUM = 8
_SILENT_SECONDS = 3 * COLLECT_SECONDS
"""Whoever fetches nothing for so long is gone."""
_SHARE = 0.8
"""Of the time that the gateway waits: what Home Assistant may take, so that its answer comes before."""


class LentBluetooth(Bluetooth):
    """The sessions that are open."""

    def __init__(self, radio: Radio, settings: BridgesSettings) -> None:
        """Reach mowers over whoever comes."""
        self._radio = radio
        self._seconds = Seconds(
            connect=settings.connect_seconds * _SHARE,
            order=settings.write_seconds * _SHARE,
        )
        self._sessions: dict[str, LentSession] = {}
        self._names: frozenset[str] = frozenset()
        """The mowers that may be carried."""
        self._watchers: list[Callable[[], None]] = []

    async def open(self, session_id: str, hello: Hello) -> None:
        """Let a Home Assistant lend; its session of before is over. Raises `ConflictError` when there are too many."""
        # It stays known until its other side has heard of it.
        for before in self._of_instance(hello.instance_id):
            before.end("replaced")
        if sum(session.ended is None for session in self._sessions.values()) >= _SESSIONS_MAXIMUM:
            raise ConflictError(
                "too_many_lenders",
                "Too many Home Assistants lend their Bluetooth.",
                values={"maximum": _SESSIONS_MAXIMUM},
            )
        await self._radio.start()
        session = LentSession(
            session_id, hello.instance_id, radio=self._radio, seconds=self._seconds, changed=self._tell
        )
        self._sessions[session_id] = session
        session.watch(self._names)
        session.take_scanners(hello)

    def session(self, session_id: str) -> LentSession:
        """Return a session; raises `NotFoundError` when it is none, or long over."""
        session = self._sessions.get(session_id)
        if session is None:
            raise NotFoundError("session_over", "This session is over: dial again.", field="session_id")
        return session

    def close(self, session_id: str) -> None:
        """Hear that a Home Assistant is gone."""
        session = self._sessions.pop(session_id, None)
        if session is not None:
            session.end("gone")

    def look(self) -> None:
        """End the sessions whose other side is gone without a word."""
        for session in tuple(self._sessions.values()):
            if session.silent_seconds > _SILENT_SECONDS:
                self.close(session.id)

    def stop(self) -> None:
        """End every session; who asks is told so."""
        for session in self._sessions.values():
            session.end("stopping")

    @override
    def wish(self, name: str, kinds: frozenset[LinkKind]) -> None:
        wanted = LinkKind.HOME_ASSISTANT in kinds
        if wanted == (name in self._names):
            return
        self._names = self._names | {name} if wanted else self._names - {name}
        for session in self._sessions.values():
            session.watch(self._names)

    @override
    def paths(self, name: str) -> tuple[Path, ...]:
        if name not in self._names:
            return ()
        sources = self.carriers(LinkKind.HOME_ASSISTANT)
        addresses = {session.addresses[name] for session in self._sessions.values() if name in session.addresses}
        found: list[Path] = []
        for address in addresses:
            sightings = tuple(self._radio.sightings(address))
            if any(seen.connected for seen in sightings):
                # It is connected over a bridge; one mower, one connection.
                continue
            found += [
                Path(
                    kind=LinkKind.HOME_ASSISTANT,
                    carrier_id=seen.source,
                    address=address,
                    device=seen.device,
                    signal_dbm=seen.signal_dbm,
                    free_slots=seen.free_slots,
                    age_seconds=seen.age_seconds,
                )
                for seen in sightings
                if seen.source in sources
            ]
        return tuple(found)

    @override
    def carriers(self, kind: LinkKind) -> frozenset[str]:
        if kind is not LinkKind.HOME_ASSISTANT:
            return frozenset()
        return frozenset().union(*(session.sources for session in self._sessions.values()))

    @override
    def works(self, carrier_id: str) -> bool:
        return carrier_id in self.carriers(LinkKind.HOME_ASSISTANT)

    @override
    def watch(self, changed: Callable[[], None]) -> Callable[[], None]:
        self._watchers.append(changed)
        return lambda: self._watchers.remove(changed)

    @override
    def pin(self, address: str, carrier_id: str | None) -> None:
        self._radio.pin(address, carrier_id)

    def _of_instance(self, instance_id: str) -> tuple[LentSession, ...]:
        return tuple(session for session in self._sessions.values() if session.instance_id == instance_id)

    def _tell(self) -> None:
        for changed in tuple(self._watchers):
            changed()
