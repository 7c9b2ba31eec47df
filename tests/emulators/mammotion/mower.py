"""An emulated mower that lives: it leaves its dock, mows its areas, runs low, goes home, charges, goes on."""

import math
from collections.abc import Callable

from pymammotion.proto import NavPlanJobSet, NavReqCoverPath
from pymammotion.utility.constant import WorkMode
from pymammotion.utility.constant.device_enums import BreakPointReason, PosType

from tests.emulators.mammotion.faults import MowerFaults
from tests.emulators.mammotion.garden import Garden, Model
from tests.emulators.mammotion.geometry import Point, Track
from tests.emulators.mammotion.job import EmulatedJob, plan
from tests.emulators.mammotion.status import CHARGING, FULL, OFF_CHARGER, READY_MODES, MowerStatus

ACCEPTED = 0
REFUSED = 1
UNKNOWN_AREA = 3

TRAVEL_METRES_PER_SECOND = 0.6
DRAIN_PERCENT_PER_SECOND = 0.02
CHARGE_PERCENT_PER_SECOND = 0.05
LOW_PERCENT = 20.0
RESUME_PERCENT = 80.0
DOCK_METRES = 0.5
"""Nearer than this the charger's contact is closed."""
STEP_SECONDS = 1.0


class EmulatedMower:
    """One mower. Time passes only through `live`."""

    def __init__(self, name: str, *, garden: Garden, model: Model, faults: MowerFaults) -> None:
        """Put it on its dock."""
        self.name = name
        self.garden = garden
        self.model = model
        self.faults = faults
        self.status = MowerStatus(knife_height_mm=model.knife_height_mm, east=garden.dock[0], north=garden.dock[1])
        self.job: EmulatedJob | None = None
        self.planned: EmulatedJob | None = None
        self.last_route = NavReqCoverPath(
            pver=1,
            sub_cmd=2,
            job_mode=4,
            edge_mode=1,
            knife_height=model.knife_height_mm,
            channel_width=int(model.own_settings["channel_width"]),
            ultra_wave=2,
            toward=int(model.own_settings["toward"]),
            speed=model.own_settings["speed"],
        )
        self.plans: list[NavPlanJobSet] = []
        """The plans that the vendor's app stored on it, as it tells them."""
        self.non_work_hours: tuple[str, str] | None = None
        """From and to, in minutes from midnight as on the wire."""
        self.lights: dict[str, bool] = {}
        self.error_codes: list[tuple[int, int]] = []
        self.mode_changed: Callable[[], None] = lambda: None
        self._travel: Track | None = None
        self._travelled = 0.0

    # Orders: each answers with a result, 0 is yes.

    def plan_route(self, route: NavReqCoverPath) -> tuple[int, int]:
        """Plan a route; return result and the hash of the path."""
        if refusal := self.faults.refuse_orders or self.faults.refuse_route:
            return refusal, 0
        if self.status.mode not in READY_MODES:
            return REFUSED, 0
        planned = plan(route, self.garden)
        if planned is None:
            return UNKNOWN_AREA, 0
        self.planned = planned
        self.last_route = route
        return ACCEPTED, planned.path_hash

    def start(self) -> int:
        """Start the planned job; with a breakpoint open it is the old job that goes on."""
        if self.faults.refuse_start:
            return self.faults.refuse_start
        if self.status.mode not in READY_MODES or self.status.self_check not in {0, 10}:
            return REFUSED
        if self.status.has_breakpoint and self.job is not None:
            return self._go_on()
        if self.planned is None:
            return REFUSED
        if self.faults.ignore_start:
            return ACCEPTED
        self.job, self.planned = self.planned, None
        if self.job.route.knife_height > 0:
            self.status.knife_height_mm = self.job.route.knife_height
        return self._go_on()

    def pause(self) -> int:
        """Stop where it is."""
        if self.status.mode != WorkMode.MODE_WORKING:
            return REFUSED
        self.status.breakpoint_reason = BreakPointReason.PAUSED_MANUALLY
        self._set_mode(WorkMode.MODE_PAUSE)
        return ACCEPTED

    def resume(self) -> int:
        """Go on with the open job; one that works says yes."""
        if self.status.mode == WorkMode.MODE_WORKING:
            return ACCEPTED
        paused = {WorkMode.MODE_PAUSE, WorkMode.MODE_CHARGING_PAUSE}
        if self.status.mode not in paused or self.job is None:
            return REFUSED
        return self._go_on()

    def cancel(self) -> int:
        """End the open job; not while it mows."""
        if self.status.mode in {WorkMode.MODE_WORKING, WorkMode.MODE_RETURNING}:
            return REFUSED
        self._end_job()
        self._set_mode(WorkMode.MODE_READY)
        return ACCEPTED

    def return_to_dock(self) -> int:
        """Go home. The same order while it returns calls it back."""
        if self.status.mode == WorkMode.MODE_RETURNING:
            return self.cancel_return()
        if self.status.on_charger:
            return REFUSED
        if self.status.mode == WorkMode.MODE_WORKING:
            self.status.breakpoint_reason = BreakPointReason.PAUSED_MANUALLY
        self._head_home()
        return ACCEPTED

    def cancel_return(self) -> int:
        """Turn around on the way home: it stands, paused with a job, else ready."""
        if self.status.mode != WorkMode.MODE_RETURNING:
            return REFUSED
        self._travel = None
        self._set_mode(WorkMode.MODE_PAUSE if self.job is not None else WorkMode.MODE_READY)
        return ACCEPTED

    def set_knife_height(self, height_mm: int) -> None:
        """Move the blades."""
        self.status.knife_height_mm = height_mm

    def keep_plan(self, sent: NavPlanJobSet) -> None:
        """Put an edited plan in the place of the one with its id; like a real one it tells settings 10 higher."""
        raw = sent.reserved.encode("latin-1").ljust(8, b"\0")
        sent.reserved = bytes((byte + 10) % 256 for byte in raw).decode("latin-1")
        self.plans = [sent if plan.plan_id == sent.plan_id else plan for plan in self.plans]

    def wake(self) -> None:
        """Wake it from its sleep."""
        if self.status.mode == WorkMode.MODE_SLEEPING:
            self._set_mode(WorkMode.MODE_READY)

    # Its life.

    def live(self, seconds: float) -> None:
        """Let time pass."""
        while seconds > 0:
            step = min(seconds, STEP_SECONDS)
            self._live_step(step)
            seconds -= step

    def _live_step(self, seconds: float) -> None:
        match self.status.mode:
            case WorkMode.MODE_WORKING:
                self._work(seconds)
            case WorkMode.MODE_RETURNING:
                if self._walk(seconds):
                    self._arrive()
            case _:
                pass
        if self.status.on_charger:
            self._charge(seconds)
        elif self.status.mode in {WorkMode.MODE_WORKING, WorkMode.MODE_RETURNING}:
            self.status.battery_percent = max(0.0, self.status.battery_percent - DRAIN_PERCENT_PER_SECOND * seconds)

    def _work(self, seconds: float) -> None:
        if self.job is None:
            return
        if self._travel is not None:
            if self._walk(seconds):
                self._travel = None
            return
        self.job.mowed_metres += (self.job.route.speed or TRAVEL_METRES_PER_SECOND) * seconds
        self._stand_at(self.job.position)
        self.status.mow_percent = self.job.percent
        self.status.area_mowed_m2 = int(self.job.size_m2 * self.job.percent / 100)
        if self.job.done:
            self.job = None
            self.status.path_hash = 0
            self._head_home()
        elif self.status.battery_percent <= LOW_PERCENT:
            self.status.breakpoint_reason = BreakPointReason.LOW_BATTERY
            self._head_home()

    def _charge(self, seconds: float) -> None:
        self.status.battery_percent = min(100.0, self.status.battery_percent + CHARGE_PERCENT_PER_SECOND * seconds)
        self.status.charge_state = FULL if self.status.battery_percent >= 100.0 else CHARGING
        waiting = self.status.mode == WorkMode.MODE_CHARGING_PAUSE
        if waiting and self.status.battery_percent >= RESUME_PERCENT and self.job is not None:
            self._go_on()

    def _go_on(self) -> int:
        if self.job is None:
            return REFUSED
        self.status.breakpoint_reason = BreakPointReason.NONE
        self.status.path_hash = self.job.path_hash
        self.status.mow_percent = self.job.percent
        self._set_out(self.job.position)
        self._set_mode(WorkMode.MODE_WORKING)
        return ACCEPTED

    def _head_home(self) -> None:
        self._set_out(self.garden.dock)
        self._set_mode(WorkMode.MODE_RETURNING)

    def _set_out(self, goal: Point) -> None:
        self._travel = Track([(self.status.east, self.status.north), goal])
        self._travelled = 0.0

    def _walk(self, seconds: float) -> bool:
        """Walk on; tell whether the goal is reached."""
        if self._travel is None:
            return True
        self._travelled += TRAVEL_METRES_PER_SECOND * seconds
        self._stand_at(self._travel.at(self._travelled))
        return self._travelled >= self._travel.length

    def _stand_at(self, point: Point) -> None:
        before = (self.status.east, self.status.north)
        if math.dist(before, point) > 0:
            self.status.toward_degrees = math.degrees(math.atan2(point[1] - before[1], point[0] - before[0]))
        self.status.east, self.status.north = point
        if math.dist(point, self.garden.dock) > DOCK_METRES:
            self.status.charge_state = OFF_CHARGER
            self.status.zone_hash = self.garden.zone_at(point)
            self.status.position_type = PosType.AREA_INSIDE if self.status.zone_hash else PosType.CHANNEL_ON

    def _arrive(self) -> None:
        self._travel = None
        self.status.charge_state = CHARGING
        self.status.position_type = PosType.CHARGE_ON
        self.status.zone_hash = 0
        low = self.status.breakpoint_reason == BreakPointReason.LOW_BATTERY
        if self.job is None:
            self.status.mow_percent = 0
            self.status.area_mowed_m2 = 0
        self._set_mode(WorkMode.MODE_CHARGING_PAUSE if low else WorkMode.MODE_READY)

    def _end_job(self) -> None:
        self.job = None
        self.planned = None
        self.status.breakpoint_reason = BreakPointReason.NONE
        self.status.path_hash = 0
        self.status.mow_percent = 0
        self.status.area_mowed_m2 = 0

    def _set_mode(self, mode: WorkMode) -> None:
        changed = self.status.mode != mode
        self.status.mode = mode
        if changed:
            self.mode_changed()
