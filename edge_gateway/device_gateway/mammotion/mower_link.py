"""The way to one mower through the library: frames out, answers and reports in, every error one of ours.

The library's convenience for orders repeats frames on a lost answer and swallows errors, so frames go through its
handle, once. Nothing waits here for a link that is down longer than an order can wait.
"""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress

from pymammotion.data.model.device import MowerDevice
from pymammotion.device.handle import DeviceHandle
from pymammotion.proto import LubaMsg
from pymammotion.transport.base import SessionExpiredError, TransportAvailability, TransportType
from pymammotion.utility.constant import WorkMode

from edge_gateway.contracts.errors import DeadlineError
from edge_gateway.device_gateway.mammotion.errors import says_too_many, translated, unavailable
from edge_gateway.device_gateway.mammotion.frame_guard import heard_over_cloud
from edge_gateway.device_gateway.mammotion.guarded_client import GuardedClient
from edge_gateway.device_gateway.mammotion.traffic import a_person_waits

_CLOUD = (TransportType.CLOUD_MAMMOTION, TransportType.CLOUD_ALIYUN)
_TRIES = 2
"""Of a question that moves nothing."""


class MowerLink:
    """The way to one mower."""

    def __init__(self, client: GuardedClient, handle: DeviceHandle, *, username: str) -> None:
        """Reach a mower that is registered with the client."""
        self.handle = handle
        self._client = client
        self._username = username
        self._changed = asyncio.Event()
        self._cloud_taken_away = False

    @property
    def name(self) -> str:
        """What the vendor calls it."""
        return self.handle.device_name

    @property
    def device(self) -> MowerDevice:
        """The library's model of the mower; raises `UnavailableError` when it is none."""
        device = self.handle.snapshot.raw
        if not isinstance(device, MowerDevice):
            raise unavailable("vendor_removed")
        return device

    @property
    def connected(self) -> bool:
        """Whether answers can arrive now."""
        availability = self.handle.availability
        return TransportAvailability.CONNECTED in {availability.mqtt, availability.ble}

    @property
    def cloud_says_offline(self) -> bool:
        """Whether the vendor's cloud says that it does not reach the mower; over Bluetooth its word does not matter."""
        return self.cloud_reported_offline and not self.over_bluetooth

    @property
    def cloud_reported_offline(self) -> bool:
        """Whether the vendor's cloud says that it does not reach the mower."""
        return bool(self.handle.availability.mqtt_reported_offline)

    @property
    def cloud_connected(self) -> bool:
        """Whether answers can arrive over the cloud now."""
        return bool(self.handle.availability.mqtt is TransportAvailability.CONNECTED)

    @property
    def cloud_heard_seconds(self) -> float | None:
        """How long ago the mower was heard over the cloud; null when it never was."""
        heard_at = heard_over_cloud(self.handle)
        return None if heard_at is None else time.monotonic() - heard_at

    @property
    def asleep(self) -> bool:
        """Whether it told that it sleeps: only the cloud's wake-up reaches it."""
        return bool(self.device.report_data.dev.sys_status == WorkMode.MODE_SLEEPING)

    @property
    def reading_map(self) -> bool:
        """Whether a map is on its way."""
        return bool(self.handle.queue.is_saga_active)

    @property
    def over_bluetooth(self) -> bool:
        """Whether frames leave over Bluetooth now."""
        return bool(self.handle.is_transport_connected(TransportType.BLE))

    async def use_cloud(self, *, allowed: bool) -> None:
        """Use the vendor's cloud for this mower, or leave it alone; raises `MowDeckError` when it cannot be had back.

        To be said again now and then: the library may bring the cloud back by itself.
        """
        present = any(self.handle.get_transport(kind) is not None for kind in _CLOUD)
        if (allowed and not self._cloud_taken_away) or (not allowed and not present):
            return
        try:
            await self._client.set_cloud_attached(self.name, attached=allowed)
        except Exception as error:  # noqa: BLE001  # the library raises its own, the HTTP client's and the system's
            raise translated(error) from None
        self._cloud_taken_away = not allowed

    def wake_waiters(self) -> None:
        """Have those look again that wait for a connection."""
        self._changed.set()

    async def require_connection(self, *, seconds: float) -> None:
        """Return when answers can arrive; raises `UnavailableError` (`link_lost`) when that takes longer."""
        try:
            async with asyncio.timeout(seconds):
                while not self.connected:
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            raise unavailable("link_lost") from None

    async def send(self, payload: bytes, *, person: bool) -> None:
        """Send one frame, once. `person`: somebody waits for it.

        Raises `UnavailableError` when it did not leave, `DeadlineError` when it may have.
        """
        with a_person_waits() if person else nullcontext():
            try:
                try:
                    await self.handle.send_raw(payload, user_initiated=person)
                except SessionExpiredError as expired:
                    # The frame was refused for its token: it did not leave, so once more is still once.
                    await self._client.refresh_transport_credentials(expired.transport_type, self._username)
                    await self.handle.send_raw(payload, user_initiated=person)
            except Exception as error:  # noqa: BLE001  # the library raises its own, the HTTP client's and the system's
                if says_too_many(error):
                    self._client.traffic.refused_in_the_answer()
                # Without the cause: its text may hold tokens.
                raise translated(error) from None

    @contextmanager
    def hearing[T](self, pick: Callable[[LubaMsg], T | None]) -> Iterator[asyncio.Future[T]]:
        """Listen for a message while inside: the future holds the first thing that `pick` finds."""
        heard: asyncio.Future[T] = asyncio.get_running_loop().create_future()

        async def listen(message: LubaMsg) -> None:
            found = pick(message)
            if found is not None and not heard.done():
                heard.set_result(found)

        with self.handle.subscribe_received(listen):
            yield heard

    async def ask[T](self, payload: bytes, pick: Callable[[LubaMsg], T | None], *, seconds: float, person: bool) -> T:
        """Send a question and return what `pick` finds in the answer; a question moves nothing, so it is asked twice.

        Raises `UnavailableError`: `silent` when no answer came.
        """
        with self.hearing(pick) as heard:
            for _ in range(_TRIES):
                # What may have left may be answered.
                with suppress(DeadlineError):
                    await self.send(payload, person=person)
                await asyncio.wait({heard}, timeout=seconds)
                if heard.done():
                    return heard.result()
        raise unavailable("silent")

    async def wake(self) -> None:
        """Have the vendor's cloud wake the mower; raises `UnavailableError` when it does not."""
        if self._cloud_taken_away:
            raise unavailable("link_lost")
        with a_person_waits():
            try:
                accepted = await self._client.wake_device(self.name, self._username)
            except Exception as error:  # noqa: BLE001  # the library raises its own, the HTTP client's and the system's
                raise translated(error) from None
        if not accepted:
            raise unavailable("vendor_offline")

    async def read_map(self) -> None:
        """Have the library read the map; it comes in the background."""
        await self._client.start_map_sync(self.name)


def report_came(message: LubaMsg) -> bool | None:
    """Pick a state report."""
    system = message.sys
    return True if system is not None and system.toapp_report_data is not None else None
