"""How each order is carried out: the vendor's verified recipes, each step seen before the next.

Every frame that moves the mower leaves once, right after `may_move`, and is answered by the mower or seen in its
reports; a lost answer to something that is seen done is no failure.
"""

import asyncio
from collections.abc import Callable
from typing import Any

from edge_gateway.contracts.errors import ConflictError, DeadlineError, UnavailableError
from edge_gateway.device_gateway.mammotion import frames
from edge_gateway.device_gateway.mammotion.errors import no_answer, outcome_unknown, refused
from edge_gateway.device_gateway.mammotion.frames import Move
from edge_gateway.device_gateway.mammotion.modes import Mode, mode_of
from edge_gateway.device_gateway.mammotion.mower_link import MowerLink
from edge_gateway.device_gateway.mammotion.observer import Observer, Predicate
from edge_gateway.device_gateway.mammotion.problems import busy_with, problem_of, start_blocker
from edge_gateway.device_gateway.mammotion.reading import Reading
from edge_gateway.device_gateway.mammotion.report_stream import ReportStream
from edge_gateway.device_gateway.mammotion.route_settings import RouteSettings
from edge_gateway.device_gateway.mammotion.settings import MammotionSettings
from edge_gateway.device_gateway.mammotion.state_mapping import job_is_interrupted, on_charger
from edge_gateway.device_gateway.mammotion.vendor_words import read_settings
from edge_gateway.device_gateway.provider import MayMove

FRESH_SECONDS = 3.0
"""A report that is not older is not asked for again."""
_TRIES = 2
WAKE_SECONDS = 20.0
"""How long a sleeping mower takes to come back."""

_PAUSED = frozenset({Mode.PAUSE, Mode.CHARGING_PAUSE})
_CAN_START = frozenset({Mode.READY, Mode.CHARGING})
_STARTS = frozenset({Move.START, Move.RESUME})
_BROKEN = frozenset({Mode.LOCK, Mode.SYSTEM_ERROR, Mode.LOCATION_ERROR, Mode.BOUNDARY_JUMP})


class Orders:
    """Carries out the orders to one mower, one at a time."""

    def __init__(self, link: MowerLink, observer: Observer, stream: ReportStream, settings: MammotionSettings) -> None:
        """Act through the link and look through the observer."""
        self._link = link
        self._observer = observer
        self._stream = stream
        self._settings = settings
        self._count_at_move = -1
        """How many readings there were when the mower last said yes: those from before do not show it."""

    async def prepare(self) -> Reading:
        """Return how the mower is now, reporting often from here on; it is woken when it sleeps.

        Raises `DeadlineError` (`no_answer`) when it does not tell.
        """
        await self._link.require_connection(seconds=self._settings.connect_seconds)
        if self._link.asleep:
            await self._wake()
        latest, period = self._observer.latest, self._settings.order_period_seconds
        answer_seconds = self._settings.answer_seconds
        if self._stream.running and latest is not None:
            # It reports, perhaps seldom: what it just said holds while it is told to report more often.
            await self._stream.keep_for_person(period, answer_seconds=answer_seconds)
            after_move = self._observer.heard_count > self._count_at_move
            if after_move and self._observer.report_age_seconds <= FRESH_SECONDS:
                return latest
        for _ in range(_TRIES):
            before = self._observer.heard_count
            self._stream.forget()
            await self._stream.keep_for_person(period, answer_seconds=answer_seconds)
            reading = await self._observer.wait_for(
                lambda _, before=before: self._observer.heard_count > before,  # type: ignore[misc]  # bound now
                seconds=answer_seconds,
            )
            if reading is not None:
                return reading
        self._stream.forget()
        raise no_answer()

    async def start(
        self,
        reading: Reading,
        zone_hashes: tuple[int, ...],
        settings: RouteSettings,
        may_move: MayMove,
        *,
        planned: Callable[[int], None],
    ) -> None:
        """Start a new job, after the open one is ended; `planned` is told the hash of its path before it starts."""
        if (blocker := start_blocker(reading)) is not None:
            raise refused(blocker, vendor_code=reading.self_check)
        reading = await self._end_open_job(reading, may_move)
        if mode_of(reading.mode) not in _CAN_START:
            raise _not_ready(reading)
        planned(await self._plan(zone_hashes, settings))
        await self._move(Move.START, may_move, seen=_is_working)

    async def own_settings(self) -> RouteSettings | None:
        """Ask with which settings the mower mowed last; null when it does not tell."""
        payload = self._link.handle.commands.query_generate_route_information()
        try:
            await self._link.ask(payload, frames.route_told, seconds=self._settings.answer_seconds, person=True)
        except UnavailableError:
            return None
        return read_settings(self._link.device)

    async def see_working(self) -> None:
        """Wait until the mower works; raises when it tells why it does not, else whoever ordered looks on."""
        reading = await self._observer.wait_for(
            lambda reading: _is_working(reading) or _is_broken(reading), seconds=self._settings.confirm_seconds
        )
        if reading is not None and _is_broken(reading):
            raise _not_ready(reading)

    async def resume(self, reading: Reading, may_move: MayMove) -> None:
        """Go on with the open job: from a pause, from the dock, or on the way home."""
        mode = mode_of(reading.mode)
        if mode is Mode.WORKING:
            # Whoever ordered saw it stand; to a mower that works the frame means nothing.
            await self._move(Move.RESUME, may_move, seen=_never)
            return
        if mode is Mode.RETURNING:
            reading = await self._turn_back(may_move)
            mode = mode_of(reading.mode)
        if not job_is_interrupted(reading):
            raise ConflictError("no_open_job", "There is no job that the mower could go on with.")
        if mode in _PAUSED:
            await self._move(Move.RESUME, may_move, seen=_is_working)
        elif mode in _CAN_START:
            if (blocker := start_blocker(reading)) is not None:
                raise refused(blocker, vendor_code=reading.self_check)
            # With an open breakpoint a start goes on with the old job.
            await self._move(Move.START, may_move, seen=_is_working)
        else:
            raise _not_ready(reading)

    async def pause(self, may_move: MayMove) -> None:
        """Stop the mower where it is. When it does not tell how it is, it is told to stop all the same."""
        reading = await self._prepare_to_stop()
        if reading is None:
            await self._move(Move.PAUSE, may_move, seen=_is_paused)
            return
        mode = mode_of(reading.mode)
        if mode is Mode.RETURNING:
            await self._move(Move.CANCEL_RETURN, may_move, seen=_is_not_returning)
        elif mode is Mode.WORKING:
            await self._move(Move.PAUSE, may_move, seen=_is_paused)
        elif mode not in _PAUSED:
            raise ConflictError("not_mowing", "The mower is not out on anything that could be paused.")

    async def return_to_dock(self, reading: Reading, may_move: MayMove) -> None:
        """Send the mower home; nothing is sent to one that is there or on its way."""
        if on_charger(reading) or mode_of(reading.mode) is Mode.RETURNING:
            return
        if _is_broken(reading):
            raise _not_ready(reading)
        if mode_of(reading.mode) is Mode.WORKING:
            await self._move(Move.PAUSE, may_move, seen=_is_paused)
            reading = await self._seen(lambda reading: mode_of(reading.mode) is not Mode.WORKING)
            if mode_of(reading.mode) is Mode.RETURNING:
                return
        await self._move(Move.RETURN, may_move, seen=_is_going_home)

    async def cancel_job(self, may_move: MayMove) -> None:
        """End the open job; a mower that was on its way home goes on home. A silent one is stopped first."""
        reading = await self._prepare_to_stop()
        if reading is None:
            await self._move(Move.PAUSE, may_move, seen=_is_paused)
            reading = await self._seen(_is_paused)
        homeward = mode_of(reading.mode) is Mode.RETURNING
        if homeward and not job_is_interrupted(reading):
            return
        reading = await self._end_open_job(reading, may_move)
        if homeward and not on_charger(reading):
            await self._move(Move.RETURN, may_move, seen=_is_going_home)

    async def _prepare_to_stop(self) -> Reading | None:
        """Return how the mower is, null when it does not tell: then it is told to stop all the same."""
        try:
            return await self.prepare()
        except DeadlineError:
            return None

    async def _end_open_job(self, reading: Reading, may_move: MayMove) -> Reading:
        """Stop what the mower is out on and end it; return how it is then. Without an open job nothing is sent."""
        if mode_of(reading.mode) is Mode.WORKING:
            await self._move(Move.PAUSE, may_move, seen=_is_paused)
            reading = await self._seen(_is_paused)
        elif mode_of(reading.mode) is Mode.RETURNING:
            reading = await self._turn_back(may_move)
        if not job_is_interrupted(reading):
            return reading
        await self._move(Move.CANCEL, may_move, seen=_has_no_job)
        return await self._seen(_has_no_job)

    async def _turn_back(self, may_move: MayMove) -> Reading:
        await self._move(Move.CANCEL_RETURN, may_move, seen=_is_not_returning)
        return await self._seen(_is_not_returning)

    async def _plan(self, zone_hashes: tuple[int, ...], settings: RouteSettings) -> int:
        """Have the mower plan a route; that moves nothing."""
        payload = frames.route_frame(self._link.handle.commands, self._link.device, zone_hashes, settings)
        try:
            answer = await self._link.ask(
                payload, frames.route_answer, seconds=self._settings.answer_seconds, person=True
            )
        except UnavailableError as error:
            raise no_answer() if error.code == "silent" else error from None
        if answer.result != 0 or answer.path_hash <= frames.NO_PATH:
            raise refused("route", vendor_result=answer.result)
        return int(answer.path_hash)

    async def _move(self, move: Move, may_move: MayMove, *, seen: Predicate) -> None:
        """Send a frame that moves the mower, once; return when it said yes, or is seen doing it."""
        await may_move()
        lost: DeadlineError | None = None
        with self._link.hearing(frames.answer_to(move)) as answer:
            seeing = asyncio.ensure_future(self._observer.wait_for_next(seen, seconds=self._settings.confirm_seconds))
            try:
                try:
                    await self._link.send(frames.move_frame(self._link.handle.commands, move), person=True)
                except DeadlineError as error:
                    lost = error
                either: set[asyncio.Future[Any]] = {answer, seeing}
                await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            finally:
                seeing.cancel()
            self._count_at_move = self._observer.heard_count
            seen_done = seeing.done() and not seeing.cancelled() and seeing.result() is not None
            if seen_done or (answer.done() and answer.result().result == 0):
                return
            if answer.done():
                # It may refuse because it just did it by itself: the next report tells.
                patience = 2 * self._settings.order_period_seconds
                if await self._observer.wait_for_next(seen, seconds=patience) is None:
                    raise self._said_no(move, answer.result().result)
                return
        raise lost or outcome_unknown()

    def _said_no(self, move: Move, result: int) -> Exception:
        """Return the error for a move that the mower refused: with its reason, when its last report shows one."""
        latest = self._observer.latest
        if latest is not None and _is_broken(latest):
            return _not_ready(latest)
        blocker = start_blocker(latest) if latest is not None and move in _STARTS else None
        return refused(blocker or move.name.lower(), vendor_result=result)

    async def _seen(self, predicate: Predicate) -> Reading:
        """Return the reading that shows it; raises `DeadlineError` when none does in time."""
        reading = await self._observer.wait_for(predicate, seconds=self._settings.confirm_seconds)
        if reading is None:
            raise outcome_unknown()
        return reading

    async def _wake(self) -> None:
        await self._link.wake()
        reading = await self._observer.wait_for_next(
            lambda reading: mode_of(reading.mode) is not Mode.SLEEPING, seconds=WAKE_SECONDS
        )
        if reading is None:
            raise no_answer()


def _never(reading: Reading) -> bool:
    del reading
    return False


def _is_working(reading: Reading) -> bool:
    return mode_of(reading.mode) is Mode.WORKING


def _is_paused(reading: Reading) -> bool:
    return mode_of(reading.mode) in _PAUSED


def _is_broken(reading: Reading) -> bool:
    return mode_of(reading.mode) in _BROKEN


def _is_not_returning(reading: Reading) -> bool:
    return mode_of(reading.mode) is not Mode.RETURNING


def _is_going_home(reading: Reading) -> bool:
    return mode_of(reading.mode) is Mode.RETURNING or bool(on_charger(reading))


def _has_no_job(reading: Reading) -> bool:
    return mode_of(reading.mode) in _CAN_START and not job_is_interrupted(reading)


def _not_ready(reading: Reading) -> Exception:
    problem = problem_of(reading)
    if _is_broken(reading) and problem is not None:
        return refused("in_error", problem=problem.code, vendor_code=problem.vendor_code)
    return refused(busy_with(reading), vendor_mode=reading.mode)
