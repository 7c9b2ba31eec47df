"""Keeps one mower's state fresh with as few requests as that takes, and notices when it falls silent.

While a mower is out, or an order is open, it reports by itself and the stream is only renewed. On its dock it is asked
seldom, so that it can sleep. One that should report and does not is asked once, then it counts as silent, and is asked
again after longer and longer waits.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

import structlog

from edge_gateway.contracts.errors import MowDeckError
from edge_gateway.contracts.mower import BUSY, Activity
from edge_gateway.device_gateway.mammotion.errors import unavailable
from edge_gateway.device_gateway.mammotion.firmware import firmware_of
from edge_gateway.device_gateway.mammotion.modes import Mode, mode_of
from edge_gateway.device_gateway.mammotion.mower_link import MowerLink
from edge_gateway.device_gateway.mammotion.observer import Observer
from edge_gateway.device_gateway.mammotion.reading import Reading
from edge_gateway.device_gateway.mammotion.report_stream import ReportStream
from edge_gateway.device_gateway.mammotion.settings import MammotionSettings
from edge_gateway.device_gateway.mammotion.state_mapping import FULL_PERCENT, activity_of, on_charger
from edge_gateway.device_gateway.mammotion.vendor_words import base_is_placed, map_is_stale

_log = structlog.get_logger(__name__)

_RTK_AND_DOCK = {"rw_id": 5, "context": 1, "rw": 1}
_UNDERWAY = frozenset({Mode.WORKING, Mode.RETURNING})
_ERRORS = {"rw_id": 5, "context": 2, "rw": 1}
_SMALLEST_TICK = 0.05
_LARGEST_TICK = 15.0


class Follower:
    """Follows one mower while it is connected."""

    def __init__(
        self,
        link: MowerLink,
        observer: Observer,
        stream: ReportStream,
        settings: MammotionSettings,
        *,
        looked: Callable[[], Awaitable[None]],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """Tell `looked` after each look, so that availability can be told."""
        self.silent = False
        self._link = link
        self._observer = observer
        self._stream = stream
        self._settings = settings
        self._looked = looked
        self._monotonic = monotonic
        self._wake = asyncio.Event()
        self._open_orders = 0
        self._linger_until = 0.0
        self._asked_at = float("-inf")
        self._unanswered = 0
        self._was_reachable = False
        self._errors_wanted = False
        self._was_broken = False
        self._overtaken = False
        self._located = False
        self._introduced_at: float | None = None
        self._map_tried: tuple[int | None, float] = (None, float("-inf"))

    def nudge(self) -> None:
        """Look now: something happened."""
        self._wake.set()

    async def sent(self, payload: bytes) -> None:
        """Hear of a frame that left, ours or the library's own."""
        if self._stream.overtaken_by(payload):
            self._overtaken = True
            self.nudge()

    def heard(self, reading: Reading) -> None:
        """Hear that a report came, and look."""
        self.silent = False
        self._unanswered = 0
        broken = mode_of(reading.mode) is Mode.SYSTEM_ERROR
        if broken and not (self._was_broken and reading.error_codes):
            # What the log said before is not what is wrong now.
            self._errors_wanted = True
        self._was_broken = broken
        self.nudge()

    @contextmanager
    def order(self) -> Iterator[None]:
        """Leave the mower to an order while inside; its effects are watched for some time more."""
        self._open_orders += 1
        try:
            yield
        finally:
            self._open_orders -= 1
            self._linger_until = self._monotonic() + self._settings.linger_seconds
            self.nudge()

    async def run(self) -> None:
        """Follow until cancelled."""
        while True:
            self._wake.clear()
            try:
                await self._look()
            except MowDeckError as error:
                _log.debug("a mower was not looked at", mower=self._link.name, code=error.code)
            await self._looked()
            try:
                async with asyncio.timeout(self._tick_seconds()):
                    await self._wake.wait()
            except TimeoutError:
                continue

    async def _look(self) -> None:
        reachable = self._link.connected and not self._link.cloud_says_offline
        came_back, self._was_reachable = reachable and not self._was_reachable, reachable
        if not reachable:
            await self._probe()
            return
        if came_back:
            # What was going on while it was away is not known, and how often it was asked in vain does not matter.
            self._stream.forget()
            self._unanswered = 0
        if self._open_orders:
            await self._restore_stream()
            return
        if self._link.asleep:
            self._stream.forget()
            return
        if self._is_watched():
            await self._watch(ask=came_back)
        else:
            await self._stream.end()
            late = self._observer.report_age_seconds > self._expected_seconds()
            if came_back or (late and self._may_ask()):
                await self._ask(lambda: self._stream.ask_once(seconds=self._settings.answer_seconds, person=False))
        if self._observer.latest is not None:
            await self._introduce()
            await self._locate()
            await self._read_errors()
            await self._read_map()

    async def _probe(self) -> None:
        """Try a mower now and then that the cloud calls offline: the word that it is back may have been missed."""
        waited = self._monotonic() - self._asked_at >= self._settings.retry_maximum_seconds
        if self._link.connected and waited and not self._open_orders and not self._link.asleep:
            self._asked_at = self._monotonic()
            # As for a person: the library holds back what nobody waits for.
            await self._stream.ask_once(seconds=self._settings.answer_seconds, person=True)

    async def _restore_stream(self) -> None:
        """Start the stream of an order again that the library's own question ended."""
        if self._overtaken:
            self._overtaken = False
            await self._stream.keep(self._settings.order_period_seconds, person=True)

    async def _watch(self, *, ask: bool) -> None:
        """See to it that a mower that is out reports by itself."""
        period = self._settings.busy_period_seconds
        if not ask and self._observer.report_age_seconds <= self._settings.silent_seconds:
            await self._stream.slow_down(period)
            await self._stream.keep(period, person=False)
        elif ask or self._may_ask():
            self._stream.forget()
            await self._ask(self._start_stream)

    async def _start_stream(self) -> None:
        await self._stream.keep(self._settings.busy_period_seconds, person=False)
        reading = await self._observer.wait_for_next(lambda _: True, seconds=self._settings.answer_seconds)
        if reading is None:
            self._stream.forget()
            raise unavailable("silent")

    async def _ask(self, question: Callable[[], Awaitable[None]]) -> None:
        """Ask a mower that was not heard for too long."""
        self._asked_at = self._monotonic()
        self._unanswered += 1
        try:
            await question()
        except MowDeckError as error:
            # A cloud that takes no requests says nothing about the mower, but for ever it does.
            too_long = self._observer.report_age_seconds > 2 * self._expected_seconds()
            self.silent = error.code == "silent" or too_long
            raise

    def _may_ask(self) -> bool:
        wait = min(
            self._settings.silent_seconds * 2 ** max(0, self._unanswered - 1),
            self._settings.retry_maximum_seconds,
        )
        return self._unanswered == 0 or self._monotonic() - self._asked_at >= wait

    async def _introduce(self) -> None:
        """Ask for what no report holds: firmware, model, where base station and dock stand."""
        device, commands = self._link.device, self._link.handle.commands
        questions = []
        if firmware_of(device) is None:
            questions.append(commands.get_device_version_main())
        if not device.mower_state.sub_model_id:
            questions.append(commands.get_device_product_model())
        if not base_is_placed(device) or self._introduced_at is None:
            questions.append(commands.read_write_device(**_RTK_AND_DOCK))
        now, tried_at = self._monotonic(), self._introduced_at
        if not questions or (tried_at is not None and now - tried_at < self._settings.map_retry_seconds):
            return
        self._introduced_at = now
        for question in questions:
            await self._link.send(question, person=False)

    async def _locate(self) -> None:
        """Ask for one more report once the base station's place is known: only that makes a position."""
        latest = self._observer.latest
        if self._located or latest is None or not base_is_placed(self._link.device):
            return
        self._located = True
        if latest.latitude is None and not self._stream.running:
            await self._stream.ask_once(seconds=self._settings.answer_seconds, person=False)

    async def _read_errors(self) -> None:
        if self._errors_wanted:
            self._errors_wanted = False
            await self._link.send(self._link.handle.commands.read_write_device(**_ERRORS), person=False)

    async def _read_map(self) -> None:
        reading = self._observer.latest
        if reading is None or self._link.reading_map or not map_is_stale(self._link.device, reading):
            return
        tried_hash, tried_at = self._map_tried
        if reading.map_hash == tried_hash and self._monotonic() - tried_at < self._settings.map_retry_seconds:
            return
        self._map_tried = (reading.map_hash, self._monotonic())
        await self._link.read_map()

    def _is_watched(self) -> bool:
        if self._monotonic() < self._linger_until:
            return True
        reading = self._observer.latest
        # Between its dock and the lawn it says that it works while the charger's contact is still closed.
        return reading is not None and (activity_of(reading) in BUSY or mode_of(reading.mode) in _UNDERWAY)

    def _expected_seconds(self) -> float:
        """Return after which time without a report the mower is asked."""
        settings, reading = self._settings, self._observer.latest
        if reading is None:
            return 0.0
        if self._is_watched() or self._stream.running:
            return settings.silent_seconds
        if on_charger(reading) and activity_of(reading) is Activity.DOCKED:
            full = reading.battery_percent is not None and reading.battery_percent >= FULL_PERCENT
            return settings.poll_docked_seconds if full else settings.poll_charging_seconds
        return settings.poll_idle_seconds

    def _tick_seconds(self) -> float:
        shortest = min(self._settings.silent_seconds, self._settings.poll_idle_seconds) / 4
        return min(max(shortest, _SMALLEST_TICK), _LARGEST_TICK)
