"""Keeps one mower's Bluetooth link as its preference wants it: opened over the best bridge, watched, let go."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

import structlog
from pymammotion.device.handle import DeviceHandle
from pymammotion.transport.base import TransportError, TransportType

from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.mower import Link, LinkKind
from edge_gateway.device_gateway.bluetooth import Bluetooth, Path
from edge_gateway.device_gateway.bridges.pinning import best_path, lacks_slots
from edge_gateway.device_gateway.bridges.settings import BridgesSettings
from edge_gateway.device_gateway.link_preference import LinkPreference
from edge_gateway.device_gateway.mammotion.bluetooth_transport import BluetoothTransport
from edge_gateway.device_gateway.mammotion.link_rule import CloudFacts, wants_bluetooth

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
        self._signal_dbm: int | None = None
        self.known = False
        """Some bridge hears the mower, or did."""
        self._cloud_works = False
        self._cloud_since = time.monotonic()
        self._failures = 0
        self._retry_at = 0.0
        self._carrier_id: str | None = None
        self._handle: DeviceHandle | None = None
        self._unwatch: Callable[[], None] | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def connected(self) -> bool:
        """Whether frames can leave over it."""
        return bool(self.transport.is_connected) and self._path is not None

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
            self._task = asyncio.get_running_loop().create_task(self._run(), name=f"bluetooth of {self.name}")

    async def stop(self) -> None:
        """Let go of the mower."""
        if self._unwatch is not None:
            self._unwatch()
            self._unwatch = None
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        await self._close("stopped")

    def prefer(self, preference: LinkPreference) -> None:
        """Keep the link as this wants it from now on."""
        self.preference = preference
        self._failures, self._retry_at = 0, 0.0
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
            await self._close("silent")
            self._back_off()

    def link(self) -> Link | None:
        """Return how the link is; null when the mower has none."""
        if not self.known or not self.preference.allows(LinkKind.BRIDGE):
            return None
        return Link(
            kind=LinkKind.BRIDGE if self._path is None else self._path.kind,
            connected=self.connected,
            signal_dbm=self._signal_dbm,
            heard_at=self._heard_at(),
        )

    def _heard_at(self) -> datetime | None:
        received = self.transport.last_received_monotonic
        if received <= 0:
            return None
        return (self._clock.now() - timedelta(seconds=time.monotonic() - received)).astimezone(UTC)

    async def _run(self) -> None:
        while True:
            self._wake.clear()
            try:
                await self._step()
            except TransportError as error:
                _log.info("bluetooth link not opened", mower=self.name, reason=_reason(error))
            except Exception:  # noqa: BLE001  # a fault of the stack below concerns this link alone: logged, tried again
                _log.exception("bluetooth link failed for a reason of its own", mower=self.name)
                self._back_off()
            try:
                async with asyncio.timeout(_TICK_SECONDS):
                    await self._wake.wait()
            except TimeoutError:
                continue

    async def _step(self) -> None:
        paths = self._bluetooth.paths(self.name)
        await self._note(paths)
        cloud = CloudFacts(works=self._cloud_works, seconds=time.monotonic() - self._cloud_since)
        kinds = tuple({path.kind for path in paths} | ({self._path.kind} if self._path is not None else set()))
        wanted = wants_bluetooth(self.preference, cloud, kinds=kinds, connected=self.connected, now=self._clock.now())
        if self._path is not None:
            await self._look_after(self._path, wanted=wanted)
        elif wanted and self._handle is not None and time.monotonic() >= self._retry_at:
            await self._open(paths)

    async def _note(self, paths: tuple[Path, ...]) -> None:
        if not paths:
            return
        if not self.known:
            self.known = True
            await self._changed()
        own = [path for path in paths if self._path is None or path.carrier_id == self._path.carrier_id]
        signals = [path.signal_dbm for path in own if path.signal_dbm is not None]
        if signals:
            self._signal_dbm = max(signals)

    async def _look_after(self, path: Path, *, wanted: bool) -> None:
        """Close a link that is not wanted any more, or that its bridge carries no more."""
        if not self.transport.is_connected:
            await self._close("lost")
            self._back_off()
        elif not self._bluetooth.works(path.carrier_id):
            await self._close("bridge_lost")
        elif not wanted:
            await self._close("not_wanted")
        elif time.monotonic() - self.transport.last_received_monotonic < self._settings.silence_seconds:
            self._bluetooth.heard(path.carrier_id)

    async def _open(self, paths: tuple[Path, ...]) -> None:
        path = best_path(paths, pinned=self._carrier_id)
        if path is None:
            if lacks_slots(paths):
                self._bluetooth.turned_away(paths[0].carrier_id, reason="no_slots")
            return
        self._bluetooth.pin(path.address, path.carrier_id)
        try:
            await self.transport.open(path.device, rssi=path.signal_dbm, seconds=self._settings.connect_seconds)
        except TransportError:
            self._back_off()
            raise
        self._path = path
        self._carrier_id = path.carrier_id
        self._failures = 0
        self._bluetooth.turned_away(path.carrier_id, reason="")
        _log.info("bluetooth link open", mower=self.name, bridge=path.carrier_id, signal_dbm=path.signal_dbm)
        await self._changed()

    async def _close(self, reason: str) -> None:
        path, self._path = self._path, None
        if path is None:
            return
        await self.transport.disconnect()
        self._bluetooth.pin(path.address, None)
        _log.info("bluetooth link closed", mower=self.name, bridge=path.carrier_id, reason=reason)
        await self._changed()

    def _back_off(self) -> None:
        wait = min(self._settings.retry_seconds * 2**self._failures, self._settings.retry_maximum_seconds)
        self._failures += 1
        self._retry_at = time.monotonic() + wait * random.uniform(0.8, 1.2)  # noqa: S311  # jitter, not a secret


def _reason(error: Exception) -> str:
    """Return the error's class and its cause's: texts name devices and say little."""
    cause = error.__cause__
    return type(error).__name__ if cause is None else f"{type(error).__name__} ({type(cause).__name__})"
