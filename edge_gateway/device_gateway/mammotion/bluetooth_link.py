"""Keeps one mower's Bluetooth link as its preference wants it: opened over the best carrier, watched, let go."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

import structlog
from pymammotion.device.handle import DeviceHandle
from pymammotion.transport.base import TransportError, TransportType

from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.mower import Link, LinkKind
from edge_gateway.device_gateway.bluetooth import Bluetooth, Path
from edge_gateway.device_gateway.bridges.settings import BridgesSettings
from edge_gateway.device_gateway.link_preference import LinkPreference
from edge_gateway.device_gateway.mammotion import link_rule
from edge_gateway.device_gateway.mammotion.bluetooth_transport import BluetoothTransport
from edge_gateway.device_gateway.mammotion.link_rule import CloudFacts, goes_back, wanted_kinds
from edge_gateway.device_gateway.mammotion.near_way import NearWay
from edge_gateway.device_gateway.pinning import best_path, lacks_slots

_log = structlog.get_logger(__name__)

_TICK_SECONDS = 1.0


type Changed = Callable[[], Awaitable[None]]


class BluetoothLink:
    """The Bluetooth link of one mower."""

    def __init__(
        self, name: str, bluetooth: Bluetooth, settings: BridgesSettings, clock: Clock, *, changed: Changed
    ) -> None:
        """Open nothing before `start`; tell `changed` when the link came or went."""
        self.name = name
        self._wake = asyncio.Event()
        self.transport = BluetoothTransport(name, write_seconds=settings.write_seconds, broke=self._wake.set)
        self.preference = LinkPreference()
        self._bluetooth = bluetooth
        self._settings = settings
        self._clock = clock
        self._changed = changed
        self._path: Path | None = None
        self._opened_at = 0.0
        self._carriers_then: frozenset[str] = frozenset()
        """The carriers of every kind when it was opened."""
        self._nearer_since: float | None = None
        self._ways = {kind: NearWay(kind, settings) for kind in LinkKind if kind in link_rule.NEAR_KINDS}
        self._cloud_works = False
        self._cloud_since = time.monotonic()
        self._handle: DeviceHandle | None = None
        self._unwatch: Callable[[], None] | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def connected(self) -> bool:
        """Whether frames can leave over it."""
        return bool(self.transport.is_connected) and self._path is not None

    @property
    def known(self) -> bool:
        """Whether some carrier hears the mower, or did."""
        return any(way.known for way in self._ways.values())

    async def attach(self, handle: DeviceHandle) -> None:
        """Carry this handle's frames from now on."""
        before, self._handle = self._handle, handle
        if before is not None and before is not handle and before.get_transport(TransportType.BLE) is self.transport:
            before.detach_transport(TransportType.BLE)
        await handle.add_transport(self.transport)

    def start(self) -> None:
        """Begin to keep the link."""
        if self._task is None:
            self._unwatch = self._bluetooth.watch(self._wake.set)
            self._wish()
            self._task = asyncio.get_running_loop().create_task(self._run(), name=f"bluetooth of {self.name}")

    async def stop(self) -> None:
        """Let go of the mower."""
        if self._unwatch is not None:
            self._unwatch()
            self._unwatch = None
            self._bluetooth.wish(self.name, frozenset())
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        await self._close("stopped")

    def prefer(self, preference: LinkPreference) -> None:
        """Keep the link as this wants it from now on."""
        self.preference = preference
        for way in self._ways.values():
            way.forgive()
        self._wish()
        self._wake.set()

    def cloud_works(self, works: bool) -> None:  # noqa: FBT001  # it is the thing told
        """Hear whether the cloud reaches the mower."""
        if works != self._cloud_works:
            self._cloud_works = works
            self._cloud_since = time.monotonic()
            self._wake.set()

    async def fell_silent(self) -> None:
        """Hear that the mower did not answer over it: it is opened anew, later, and others are used meanwhile."""
        if self.connected:
            await self._close("silent", back_off=True)

    def links(self) -> tuple[Link, ...]:
        """Return how each kind of Bluetooth is that may be used and that the mower is heard over, or was."""
        return tuple(
            Link(
                kind=kind,
                connected=self.connected and self._path is not None and self._path.kind is kind,
                signal_dbm=self._ways[kind].signal_dbm,
                heard_at=self._heard_at(kind),
            )
            for kind in self.preference.order
            if kind in self._ways and self._ways[kind].known
        )

    def _heard_at(self, kind: LinkKind) -> datetime | None:
        used = self._path is not None and self._path.kind is kind
        heard = self._ways[kind].heard
        # The transport remembers what it heard over another kind before.
        received = max(heard, self._received()) if used else heard
        if received <= 0:
            return None
        return (self._clock.now() - timedelta(seconds=time.monotonic() - received)).astimezone(UTC)

    def _received(self) -> float:
        received: float = self.transport.last_received_monotonic
        return received if received >= self._opened_at else 0.0

    def _wish(self) -> None:
        if self._unwatch is not None:
            self._bluetooth.wish(self.name, frozenset(self.preference.order) & link_rule.NEAR_KINDS)

    async def _run(self) -> None:
        # The stack below may take a cancellation for a connection that failed.
        while self._task is asyncio.current_task():
            self._wake.clear()
            try:
                await self._step()
            except TransportError as error:
                _log.info("bluetooth link not opened", mower=self.name, reason=_reason(error))
            except Exception:  # noqa: BLE001  # a fault of the stack below concerns this link alone: logged, tried again
                _log.exception("bluetooth link failed for a reason of its own", mower=self.name)
                for way in self._ways.values():
                    way.back_off()
            try:
                async with asyncio.timeout(self._pause_seconds()):
                    await self._wake.wait()
            except TimeoutError:
                continue

    def _pause_seconds(self) -> float:
        """Return until when nothing needs to be looked at that nobody tells."""
        waits = (way.wait_seconds for way in self._ways.values())
        return min((_TICK_SECONDS, *(wait for wait in waits if wait > 0)))

    async def _step(self) -> None:
        paths = self._bluetooth.paths(self.name)
        await self._note(paths)
        cloud = CloudFacts(works=self._cloud_works, seconds=time.monotonic() - self._cloud_since)
        connected = None if self._path is None else self._path.kind
        wanted = wanted_kinds(self.preference, cloud, connected=connected, now=self._clock.now())
        if self._path is not None:
            await self._look_after(self._path, wanted)
        elif self._handle is not None:
            await self._open(paths, wanted)

    async def _note(self, paths: tuple[Path, ...]) -> None:
        new = False
        for way in self._ways.values():
            used = self._path if self._path is not None and self._path.kind is way.kind else None
            new = way.note(paths, carrier_id=None if used is None else used.carrier_id) or new
        if new:
            await self._changed()

    async def _look_after(self, path: Path, wanted: tuple[LinkKind, ...]) -> None:
        """Close a link that is not wanted any more, that its carrier carries no more, or that a nearer one replaces."""
        if not self.transport.is_connected:
            await self._close("lost", back_off=True)
        elif not self._bluetooth.works(path.carrier_id):
            await self._close("bridge_lost")
        elif path.kind not in wanted:
            await self._close("not_wanted")
        elif self._goes_back(path, wanted):
            await self._close("nearer")
            self._ways[path.kind].stand_back(seconds=link_rule.FIRST_TRY_SECONDS)
        elif time.monotonic() - self.transport.last_received_monotonic < self._settings.silence_seconds:
            self._bluetooth.heard(path.carrier_id)

    def _goes_back(self, path: Path, wanted: tuple[LinkKind, ...]) -> bool:
        now = time.monotonic()
        nearer = wanted[: wanted.index(path.kind)]
        carriers = frozenset(one for kind in nearer for one in self._bluetooth.carriers(kind))
        if not carriers - self._carriers_then:
            self._nearer_since = None
        elif self._nearer_since is None:
            self._nearer_since = now
        return goes_back(
            connected_seconds=now - self._opened_at,
            nearer_seconds=None if self._nearer_since is None else now - self._nearer_since,
            nearer_works=bool(carriers),
        )

    async def _open(self, paths: tuple[Path, ...], wanted: tuple[LinkKind, ...]) -> None:
        """Open the first kind that can be tried now; what fails is left to the next one, and tried again later."""
        for kind in wanted:
            way = self._ways[kind]
            own = [path for path in paths if path.kind is kind]
            path = best_path(own, pinned=way.carrier_id) if way.may_try else None
            if path is not None:
                await self._open_over(path, way)
                return
            if lacks_slots(own):
                self._bluetooth.turned_away(own[0].carrier_id, reason="no_slots")

    async def _open_over(self, path: Path, way: NearWay) -> None:
        self._bluetooth.pin(path.address, path.carrier_id)
        try:
            await self.transport.open(path.device, rssi=path.signal_dbm, seconds=self._settings.connect_seconds)
        except TransportError:
            way.back_off()
            raise
        self._path = path
        self._opened_at, self._nearer_since = time.monotonic(), None
        self._carriers_then = frozenset(one for kind in self._ways for one in self._bluetooth.carriers(kind))
        way.worked(path.carrier_id)
        self._bluetooth.turned_away(path.carrier_id, reason="")
        _log.info(
            "bluetooth link open",
            mower=self.name,
            over=path.kind.value,
            carrier=path.carrier_id,
            signal_dbm=path.signal_dbm,
        )
        await self._changed()

    async def _close(self, reason: str, *, back_off: bool = False) -> None:
        path = self._path
        if path is None:
            return
        way = self._ways[path.kind]
        way.heard = max(way.heard, self._received())
        self._path = None
        await self.transport.disconnect()
        self._bluetooth.pin(path.address, None)
        _log.info("bluetooth link closed", mower=self.name, carrier=path.carrier_id, reason=reason)
        if back_off:
            way.back_off()
        await self._changed()


def _reason(error: Exception) -> str:
    """Return the error's class and its cause's: texts name devices and say little."""
    cause = error.__cause__
    return type(error).__name__ if cause is None else f"{type(error).__name__} ({type(cause).__name__})"
