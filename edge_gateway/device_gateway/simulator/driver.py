"""The handle on one simulated mower: lives in the clock's time, reports, obeys."""

import asyncio
import random
from collections import deque
from collections.abc import Callable
from typing import Any, override

import msgspec
import structlog

from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.device import Setting
from edge_gateway.contracts.errors import DeadlineError, UnavailableError, UnsafeError
from edge_gateway.contracts.map import MowerMap
from edge_gateway.contracts.mower import Link, LinkKind
from edge_gateway.contracts.state_intervals import maximum_state_interval_seconds
from edge_gateway.device_gateway.lexicon import refusal_words
from edge_gateway.device_gateway.provider import (
    Capabilities,
    Driver,
    DriverAvailability,
    DriverListener,
    DriverState,
    MayMove,
    Start,
)
from edge_gateway.device_gateway.settings import SimulatorSettings
from edge_gateway.device_gateway.simulator import machine_orders
from edge_gateway.device_gateway.simulator.course import advance, seconds_until_event
from edge_gateway.device_gateway.simulator.faults import Fault
from edge_gateway.device_gateway.simulator.machine import Body, Machine, Phase
from edge_gateway.device_gateway.simulator.reach import Reach, check_link
from edge_gateway.device_gateway.simulator.report import Site, draw_map, report
from edge_gateway.device_gateway.simulator.settings_rule import (
    FAULT,
    change_setting,
    check_pattern,
    job_settings,
    settings_of,
)
from edge_gateway.device_gateway.simulator.store import MachineStore

_log = structlog.get_logger(__name__)

_BUSY_PERIOD_SECONDS = 2.0
_RESTING_PERIOD_SECONDS = 30.0
_LONGEST_SLEEP_SECONDS = 1.0
"""The clock may be set meanwhile: it is looked at this often."""
_ANSWER_SECONDS = 0.3
"""How long the machine takes to answer, in its own seconds; and how long it is waited for."""
_NO_ANSWER_SECONDS = 10.0
_FRAMES_KEPT = 100


class SimulatedDriver(Driver):
    """Drives one simulated mower."""

    def __init__(
        self,
        vendor_key: str,
        body: Body,
        site: Site,
        settings: SimulatorSettings,
        *,
        mower_id: str,
        account_id: str,
        store: MachineStore,
        clock: Clock,
    ) -> None:
        """Prepare; the machine is fetched from the store at the start."""
        self.capabilities = Capabilities(
            can_resume_while_returning=body.model.turns_back,
            maximum_state_interval_seconds=maximum_state_interval_seconds("simulator"),
            job_settings=job_settings(),
        )
        self.frames: deque[str] = deque(maxlen=_FRAMES_KEPT)
        """The motion frames that left, oldest first."""
        self._vendor_key = vendor_key
        self._body = body
        self._site = site
        self._settings = settings
        self._store = store
        self._clock = clock
        self._map = draw_map(body.garden, site, mower_id=mower_id, account_id=account_id, at=clock.now())
        draw = random.Random(f"{settings.seed}:{vendor_key}")  # noqa: S311  # a simulation that repeats itself
        self._machine = Machine(as_of=clock.now(), battery_percent=float(draw.randint(60, 100)))
        self._first_share = draw.random()
        """Of a period, until the first periodic report: a fleet's reports are spread."""
        self._state: DriverState | None = None
        self._reach = Reach(speed=settings.speed)
        self._availability = DriverAvailability(available=False, reason="starting")
        self._listener: DriverListener | None = None
        self._saving = asyncio.Lock()
        self._changed = asyncio.Event()
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
        return settings_of(self._machine)

    @property
    def machine(self) -> Machine:
        """The machine as it was looked at last."""
        return self._machine

    @override
    async def start(self, listener: DriverListener) -> None:
        stored = await self._store.machine(self._vendor_key)
        if stored is None:
            await self._save()
        else:
            self._machine = msgspec.json.decode(stored, type=Machine)
        self._listener = listener
        await self._catch_up()
        await self._tell_availability()
        await self._tell_state()
        self._task = asyncio.create_task(self._live(), name=f"simulated mower {self._vendor_key}")

    @override
    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None
            await self._save()
        self._listener = None

    @override
    async def refresh(self) -> DriverState:
        check_link(self._machine.fault)
        await self._answer_time(_NO_ANSWER_SECONDS if self._machine.fault is Fault.SILENT else _ANSWER_SECONDS)
        check_link(self._machine.fault)
        if self._machine.fault is Fault.SILENT:
            raise UnavailableError("silent", "The mower does not answer.")
        await self._catch_up()
        return await self._tell_state()

    @override
    async def start_mow(self, start: Start, may_move: MayMove) -> str:
        check_pattern(start.pattern)
        if self._machine.open_job is not None:
            await self._order("cancel", machine_orders.cancel, may_move)
        job_id = f"{self._vendor_key}-job-{self._machine.jobs_made + 1}"
        wish = (start.pattern or {}).get("angle")
        angle = float(wish) if isinstance(wish, int | float) else self._machine.angle_degrees
        grounds = tuple(self._site.ground(area_id) for area_id in start.area_ids)

        def begin(machine: Machine) -> Machine:
            return machine_orders.start(
                machine, job_id=job_id, grounds=grounds, angle_degrees=angle, at=self._clock.now()
            )

        await self._order("start", begin, may_move)
        return job_id

    @override
    async def resume(self, may_move: MayMove) -> None:
        await self._order("resume", lambda machine: machine_orders.resume(machine, self._body), may_move)

    @override
    async def pause(self, may_move: MayMove) -> None:
        await self._order("pause", machine_orders.pause, may_move)

    @override
    async def return_to_dock(self, may_move: MayMove) -> None:
        await self._order("return_to_dock", machine_orders.return_home, may_move)

    @override
    async def cancel_job(self, may_move: MayMove) -> None:
        await self._order("cancel", machine_orders.cancel, may_move)

    @override
    async def put_setting(self, key: str, value: Any) -> None:
        # What is simulated is set from outside the machine: no link is needed for it.
        if key != FAULT:
            check_link(self._machine.fault)
            await self._answer_time(_ANSWER_SECONDS)
        await self._catch_up()
        await self._change(change_setting(self._machine, key, value))

    async def set_fault(self, fault: Fault) -> None:
        """Let something be wrong with the mower, or right again."""
        await self.put_setting(FAULT, fault.value)

    async def _order(self, frame: str, change: Callable[[Machine], Machine], may_move: MayMove) -> None:
        """Send a frame and wait for the machine's yes."""
        check_link(self._machine.fault)
        await may_move()
        check_link(self._machine.fault)
        self.frames.append(frame)
        if self._machine.fault is Fault.SILENT:
            await self._answer_time(_NO_ANSWER_SECONDS)
            raise DeadlineError("no_answer", "The mower did not answer the order.")
        await self._answer_time(_ANSWER_SECONDS)
        await self._catch_up()
        if self._machine.fault is Fault.REFUSE:
            raise _refused("simulated")
        try:
            changed = change(self._machine)
        except machine_orders.RefusedError as error:
            raise _refused(str(error)) from error
        await self._change(changed)
        if self._machine.fault is Fault.NO_ANSWER:
            await self._answer_time(_NO_ANSWER_SECONDS)
            raise DeadlineError("no_answer", "The mower did not answer the order.")

    async def _change(self, machine: Machine) -> None:
        """Let the machine be another, keep it before anybody hears of it, and tell."""
        self._machine = machine
        await self._save()
        self._changed.set()
        await self._tell_availability()
        await self._tell_state()

    async def _live(self) -> None:
        loop = asyncio.get_running_loop()
        reported_at = loop.time() - self._period() * self._first_share
        while True:
            due = reported_at + self._period() - loop.time()
            event = seconds_until_event(self._machine, self._body, speed=self._settings.speed)
            event -= (self._clock.now() - self._machine.as_of).total_seconds()
            self._changed.clear()
            try:
                async with asyncio.timeout(max(min(due, event, _LONGEST_SLEEP_SECONDS), 0.001)):
                    await self._changed.wait()
            except TimeoutError:
                await self._catch_up()
                await self._tell_availability()
            if loop.time() >= reported_at + self._period():
                await self._catch_up()
                await self._tell_state()
                reported_at = loop.time()

    def _period(self) -> float:
        resting = self._machine.phase in {Phase.DOCKED, Phase.IDLE, Phase.BROKEN}
        usual = _RESTING_PERIOD_SECONDS if resting else _BUSY_PERIOD_SECONDS
        return max(usual, self._settings.state_period_seconds)

    async def _catch_up(self) -> None:
        """Bring the machine to the present; what happened on the way is told with the time at which it did."""
        happened = True
        while happened:
            self._machine, happened = advance(
                self._machine, self._body, to=self._clock.now(), speed=self._settings.speed
            )
            if happened:
                await self._save()
                await self._tell_state()

    async def _save(self) -> None:
        async with self._saving:
            document = msgspec.json.encode(self._machine).decode()
            try:
                await self._store.save_machine(self._vendor_key, document)
            except UnavailableError as error:
                # The machine goes on; after a restart it goes on from where it was kept last.
                _log.warning("simulated mower not kept", vendor_key=self._vendor_key, code=error.code)

    async def _tell_state(self) -> DriverState:
        state = report(self._machine, self._body, self._site, at=self._machine.as_of)
        if self._machine.fault in {Fault.SILENT, Fault.OFFLINE}:
            return state if self._state is None else self._state
        self._state = state
        if self._listener is not None:
            await self._listener.state_changed(state)
        return state

    async def _tell_availability(self) -> None:
        reason = self._reach.unavailable_reason(self._machine.fault, now=asyncio.get_running_loop().time())
        if (reason is None, reason) == (self._availability.available, self._availability.reason):
            return
        link = Link(kind=LinkKind.SIMULATED, connected=reason is None, heard_at=self._machine.as_of)
        self._availability = DriverAvailability(available=reason is None, reason=reason, links=(link,))
        if self._listener is not None:
            await self._listener.availability_changed(self._availability)

    async def _answer_time(self, seconds: float) -> None:
        await asyncio.sleep(seconds / self._settings.speed)


def _refused(reason: str) -> UnsafeError:
    words = refusal_words(reason)["en"]
    return UnsafeError("refused_by_mower", words.cause, remedy=words.remedy, values={"vendor_reason": reason})
