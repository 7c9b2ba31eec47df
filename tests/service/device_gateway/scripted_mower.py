"""A mower whose every frame is seen and whose every answer can be spoilt; it outlives the gateway's lives."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any, override

import msgspec

from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.device import Setting
from edge_gateway.contracts.errors import DeadlineError, UnavailableError
from edge_gateway.contracts.map import Area, MowerMap
from edge_gateway.contracts.mower import Activity, Job
from edge_gateway.device_gateway.provider import (
    Capabilities,
    Driver,
    DriverAvailability,
    DriverListener,
    DriverState,
    MayMove,
    Start,
)

type Step = Callable[[str, Callable[[], Awaitable[None]]], Awaitable[None]]
"""Does something under a name, or dies before or after it."""


async def live_on(_name: str, operation: Callable[[], Awaitable[None]]) -> None:
    """Do it."""
    await operation()


class ScriptedMower:
    """The machine: what it is, and which motion frames reached it."""

    def __init__(self, clock: Clock) -> None:
        """Stand charged in the dock."""
        self.clock = clock
        self.frames: list[str] = []
        self.state = DriverState(observed_at=clock.now(), activity=Activity.DOCKED, on_charger=True)
        self.link_broken = False
        self.answers = True
        self.has_told_map = True
        self.moves = True
        """It does what it says yes to."""
        self.jobs = 0
        self.may_connect = asyncio.Event()
        self.may_connect.set()
        self.connecting = asyncio.Event()
        self.broken_starts = 0
        """So many starts of a driver fail."""

    def become(self, activity: Activity, **changes: Any) -> DriverState:  # noqa: ANN401  # fields by name
        """Be in another state from now on."""
        fields = {"on_charger": activity is Activity.DOCKED, **changes}
        self.state = msgspec.structs.replace(self.state, observed_at=self.clock.now(), activity=activity, **fields)
        return self.state

    def open_job(self, started_at: datetime | None = None) -> Job:
        """Have a new job."""
        self.jobs += 1
        return Job(id=f"job-{self.jobs}", started_at=started_at or self.clock.now(), resumable=True)


class ScriptedDriver(Driver):
    """One life's handle on the machine."""

    capabilities = Capabilities(can_resume_while_returning=True)

    def __init__(self, mower: ScriptedMower, *, mower_id: str, step: Step = live_on) -> None:
        """Drive this machine."""
        self.mower = mower
        self.before_frame: Callable[[str], Awaitable[None]] | None = None
        """Called when a frame is about to ask whether it may leave."""
        self._mower_id = mower_id
        self._step = step
        self._listener: DriverListener | None = None
        self._settings: dict[str, Any] = {"height_mm": 40}

    @property
    @override
    def state(self) -> DriverState | None:
        return self.mower.state

    @property
    @override
    def availability(self) -> DriverAvailability:
        broken = self.mower.link_broken
        return DriverAvailability(available=not broken, reason="link_lost" if broken else None)

    @property
    @override
    def map(self) -> MowerMap | None:
        if not self.mower.has_told_map:
            return None
        areas = tuple(Area(id=f"area-{name}", vendor_key=name, name=name) for name in ("a", "b"))
        return MowerMap(
            mower_id=self._mower_id,
            account_id="home",
            observed_at=datetime.fromisoformat("2026-05-01T00:00:00Z"),
            complete=True,
            areas=areas,
        )

    @property
    @override
    def settings(self) -> tuple[Setting, ...]:
        return tuple(Setting(key=key, value=value) for key, value in self._settings.items())

    @override
    async def start(self, listener: DriverListener) -> None:
        self.mower.connecting.set()
        await self.mower.may_connect.wait()
        if self.mower.broken_starts:
            self.mower.broken_starts -= 1
            raise UnavailableError("link_lost", "The link is broken.")
        self._listener = listener
        await listener.state_changed(self.mower.state)

    @override
    async def stop(self) -> None:
        self._listener = None

    @override
    async def refresh(self) -> DriverState:
        if self.mower.link_broken:
            raise UnavailableError("link_lost", "The link is broken.")
        self.mower.become(self.mower.state.activity, on_charger=self.mower.state.on_charger)
        await self.report()
        return self.mower.state

    async def report(self) -> None:
        """Tell the listener how the machine is."""
        if self._listener is not None:
            await self._listener.state_changed(self.mower.state)

    async def report_link(self) -> None:
        """Tell the listener how the link is."""
        if self._listener is not None:
            await self._listener.availability_changed(self.availability)

    @override
    async def start_mow(self, start: Start, may_move: MayMove) -> str:
        if self.mower.state.job is not None:
            await self._frame("cancel", Activity.IDLE, None, may_move)
        job = msgspec.structs.replace(self.mower.open_job(), area_ids=start.area_ids)
        await self._frame("start", Activity.MOWING, job, may_move)
        return job.id

    @override
    async def resume(self, may_move: MayMove) -> None:
        await self._frame("resume", Activity.MOWING, self.mower.state.job, may_move)

    @override
    async def pause(self, may_move: MayMove) -> None:
        await self._frame("pause", Activity.PAUSED, self.mower.state.job, may_move)

    @override
    async def return_to_dock(self, may_move: MayMove) -> None:
        await self._frame("return_to_dock", Activity.RETURNING, self.mower.state.job, may_move)

    @override
    async def cancel_job(self, may_move: MayMove) -> None:
        await self._frame("cancel", Activity.IDLE, None, may_move)

    @override
    async def put_setting(self, key: str, value: Any) -> None:
        self._settings[key] = value

    async def _frame(self, name: str, activity: Activity, job: Job | None, may_move: MayMove) -> None:
        if self.mower.link_broken:
            raise UnavailableError("link_lost", "The link is broken.")
        if self.before_frame is not None:
            await self.before_frame(name)
        await may_move()

        async def leave() -> None:
            self.mower.frames.append(name)
            if self.mower.moves:
                self.mower.become(activity, job=job)

        await self._step(f"frame {name}", leave)
        if not self.mower.answers:
            raise DeadlineError("no_answer", "The mower did not answer.")
        await asyncio.sleep(0)
        await self.report()
