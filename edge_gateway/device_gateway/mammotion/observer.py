"""Hears one mower's reports as readings, and lets orders wait for one."""

import asyncio
from collections.abc import Awaitable, Callable

from pymammotion.data.model.device import MowerDevice
from pymammotion.device.handle import DeviceHandle
from pymammotion.proto import LubaMsg
from pymammotion.state.device_state import DeviceSnapshot

from edge_gateway.contracts.clock import Clock
from edge_gateway.device_gateway.mammotion.frame_guard import when_read
from edge_gateway.device_gateway.mammotion.reading import Reading
from edge_gateway.device_gateway.mammotion.vendor_words import read_state

_REORDERED_MILLISECONDS = 60_000
"""A report that is older than this was not overtaken: the mower's clock was set."""

type Heard = Callable[[Reading], Awaitable[None]]
type Predicate = Callable[[Reading], bool]


class Observer:
    """Follows one mower's handle in the library."""

    def __init__(self, clock: Clock, *, heard: Heard, link_changed: Callable[[], None]) -> None:
        """Tell `heard` of each new report, `link_changed` of anything else that happened to the connection."""
        self.latest: Reading | None = None
        self.heard_count = 0
        """How many readings there were so far."""
        self._clock = clock
        self._heard = heard
        self._link_changed = link_changed
        self._ends: list[Callable[[], None]] = []
        self._waiting: list[tuple[Predicate, asyncio.Future[Reading]]] = []
        self._handle: DeviceHandle | None = None
        self._report_at = 0.0
        self._values: tuple[int, int] | None = None
        self._told_at = 0
        """When the newest report left the mower, by its clock: Unix time in milliseconds; 0 where it does not tell."""
        self._overtaken = False

    @property
    def report_age_seconds(self) -> float:
        """How long ago the last full report came; infinite when none did."""
        return float("inf") if self._handle is None else self._handle.report_data_age

    def attach(self, handle: DeviceHandle) -> None:
        """Follow this handle from now on."""
        self.detach()
        self._handle = handle
        self._report_at = handle.last_report_data_at
        self._ends.append(handle.subscribe_received(self._received).cancel)
        self._ends.append(handle.subscribe_state_changed(self._changed).cancel)
        self._ends.append(when_read(handle, self._read))

    def detach(self) -> None:
        """Follow nothing."""
        for end in self._ends:
            end()
        self._ends.clear()
        self._handle = None

    async def wait_for(self, predicate: Predicate, *, seconds: float) -> Reading | None:
        """Return the first reading that fits, the latest one included; null when the time is over."""
        if self.latest is not None and predicate(self.latest):
            return self.latest
        return await self.wait_for_next(predicate, seconds=seconds)

    async def wait_for_next(self, predicate: Predicate, *, seconds: float) -> Reading | None:
        """Return the first reading from now on that fits; null when the time is over."""
        future: asyncio.Future[Reading] = asyncio.get_running_loop().create_future()
        entry = (predicate, future)
        self._waiting.append(entry)
        try:
            async with asyncio.timeout(seconds):
                return await future
        except TimeoutError:
            return None
        finally:
            self._waiting.remove(entry)

    async def _received(self, message: LubaMsg) -> None:
        """Hear of a frame before it changes anything: a report that a younger one overtook says nothing about now."""
        if message.sys is None or message.sys.toapp_report_data is None:
            return
        behind = self._told_at - message.timestamp
        self._overtaken = 0 < behind < _REORDERED_MILLISECONDS
        if not self._overtaken:
            self._told_at = message.timestamp

    async def _read(self) -> None:
        """Hear of a report that says the same as the one before, of which the library does not tell."""
        if self._handle is not None and self._handle.last_report_data_at != self._report_at:
            await self._changed(self._handle.snapshot)

    async def _changed(self, snapshot: DeviceSnapshot) -> None:
        handle, device = self._handle, snapshot.raw
        if handle is None or not isinstance(device, MowerDevice):
            return
        self._link_changed()
        status = device.report_data.dev
        values = (status.sys_status, status.battery_val)
        if handle.last_report_data_at == self._report_at and values == self._values:
            return
        overtaken = self._overtaken and handle.last_report_data_at != self._report_at
        self._report_at = handle.last_report_data_at
        if overtaken:
            return
        self._values = values
        reading = read_state(device, observed_at=self._clock.now(), reported=self._report_at > 0)
        self.latest = reading
        self.heard_count += 1
        for predicate, future in self._waiting:
            if not future.done() and predicate(reading):
                future.set_result(reading)
        await self._heard(reading)
