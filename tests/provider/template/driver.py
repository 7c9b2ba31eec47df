"""The handle on one mower: the vendor's words outside, contract types inside."""

import asyncio
from datetime import datetime
from typing import Any, override

import msgspec

from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.device import Setting
from edge_gateway.contracts.errors import DeadlineError, UnavailableError, UnsafeError
from edge_gateway.contracts.identifiers import new_id
from edge_gateway.contracts.map import MowerMap
from edge_gateway.contracts.mower import Link, LinkKind
from edge_gateway.device_gateway.errors import LeaseLostError, OrderExpiredError
from edge_gateway.device_gateway.provider import (
    Capabilities,
    Driver,
    DriverAvailability,
    DriverListener,
    DriverState,
    MayMove,
    Start,
)
from edge_gateway.device_gateway.vendor_memory import MemoryStore
from tests.provider.template import job_track, mapping
from tests.provider.template.job_track import JobTrack
from tests.provider.template.machine import ExampleMower, NoAnswerError, NotReachedError, SaidNoError


class ExampleDriver(Driver):
    """Drives one mower."""

    def __init__(
        self, mower: ExampleMower, clock: Clock, store: MemoryStore, *, mower_id: str, account_id: str
    ) -> None:
        """Know nothing of the mower before `start`."""
        self.capabilities = Capabilities(
            can_resume_while_returning=True, has_areas=mower.has_areas, job_settings=mapping.job_settings()
        )
        self._mower = mower
        self._clock = clock
        self._store = store
        self._kept: bytes | None = None
        self._track: JobTrack | None = None
        self._map = mapping.map_of(mower, mower_id=mower_id, account_id=account_id, observed_at=clock.now())
        self._state: DriverState | None = None
        self._availability = DriverAvailability(available=False, reason="not_connected")
        self._heard_at: datetime | None = None
        self._listener: DriverListener | None = None
        self._news = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @property
    @override
    def state(self) -> DriverState | None:
        return self._state

    @property
    @override
    def availability(self) -> DriverAvailability:
        return self._availability

    @property
    @override
    def map(self) -> MowerMap | None:
        return self._map

    @property
    @override
    def settings(self) -> tuple[Setting, ...]:
        return mapping.settings_of(self._mower)

    @override
    async def start(self, listener: DriverListener) -> None:
        self._listener = listener
        # A driver that cannot read it does not start, and is started again: it would make another job of the open one.
        self._kept = await self._store.load(self._mower.serial)
        self._track = None if self._kept is None else msgspec.json.decode(self._kept, type=JobTrack | None)
        self._mower.changed = self._news.set
        if self._map is not None:
            await listener.map_changed(self._map)
        await self._tell()
        self._task = asyncio.get_running_loop().create_task(self._follow())

    @override
    async def stop(self) -> None:
        self._listener = None
        self._mower.changed = lambda: None
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    @override
    async def refresh(self) -> DriverState:
        try:
            await self._mower.ask()
        except NotReachedError:
            raise _unavailable("link_lost") from None
        except NoAnswerError:
            raise _unavailable("silent") from None
        return await self._tell_state()

    @override
    async def start_mow(self, start: Start, may_move: MayMove) -> str:
        for key, value in (start.pattern or {}).items():
            field = f"pattern.{key}"
            mapping.check_number(self.capabilities.job_settings, key, value, unknown=field, field=field)
        if self._track is not None:
            await self._move("abort", may_move)
        job_id = new_id()
        # Kept before the frame: whoever comes after a crash knows the job that it began.
        await self._keep(job_track.ordered(job_id, at=self._clock.now()))
        try:
            await self._move("cut", may_move)
        except UnavailableError, UnsafeError, OrderExpiredError, LeaseLostError:
            # It certainly does not begin.
            await self._keep(None)
            raise
        return job_id

    @override
    async def resume(self, may_move: MayMove) -> None:
        await self._move("continue", may_move)

    @override
    async def pause(self, may_move: MayMove) -> None:
        await self._move("halt", may_move)

    @override
    async def return_to_dock(self, may_move: MayMove) -> None:
        await self._move("go_home", may_move)

    @override
    async def cancel_job(self, may_move: MayMove) -> None:
        await self._move("abort", may_move)

    @override
    async def put_setting(self, key: str, value: Any) -> None:
        mapping.check_number(self.settings, key, value, unknown="setting_key", field="setting_value")
        try:
            await self._mower.set_blade(int(value))
        except NotReachedError:
            raise _unavailable("link_lost") from None
        except NoAnswerError:
            raise DeadlineError("not_confirmed", "The mower does not show the change.") from None

    async def _move(self, order: str, may_move: MayMove) -> None:
        """Send a frame that moves the mower: once, right after `may_move`, over a link that is up now."""
        if not self._mower.online:
            raise _unavailable("link_lost")
        await may_move()
        try:
            await self._mower.send(order)
        except NotReachedError:
            raise _unavailable("link_lost") from None
        except NoAnswerError:
            raise DeadlineError("outcome_unknown", "The order left, and no answer came.") from None
        except SaidNoError as error:
            values = {"vendor_reason": "unknown", "vendor_code": str(error)}
            raise UnsafeError("refused_by_mower", "The mower does not say why.", values=values) from None

    async def _follow(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            await self._tell()

    async def _tell(self) -> None:
        online = self._mower.online
        if online:
            self._heard_at = self._clock.now()
        link = Link(kind=LinkKind.LOCAL_NETWORK, connected=online, heard_at=self._heard_at)
        self._availability = DriverAvailability(available=online, reason=None if online else "link_lost", links=(link,))
        if self._listener is not None:
            await self._listener.availability_changed(self._availability)
        if online:
            await self._tell_state()

    async def _tell_state(self) -> DriverState:
        now = self._clock.now()
        await self._keep(job_track.follow(self._track, unfinished=self._mower.unfinished, observed_at=now))
        job_id = None if self._track is None else self._track.id
        self._state = state = mapping.state_of(self._mower, job_id=job_id, observed_at=now)
        if self._listener is not None:
            await self._listener.state_changed(state)
        return state

    async def _keep(self, track: JobTrack | None) -> None:
        """Keep which job is open; what the database does not take now is tried again with the next report."""
        self._track = track
        content = msgspec.json.encode(track)
        if content == self._kept:
            return
        try:
            await self._store.save(self._mower.serial, content)
        except UnavailableError:
            return
        self._kept = content


def _unavailable(code: str) -> UnavailableError:
    return UnavailableError(code, "The mower is not reached.", remedy="Try again when it is.")
