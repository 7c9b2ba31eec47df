"""A simulated machine: what it is, and what becomes of it as time goes by. Pure: the same course at every run.

Times are the machine's own seconds; the driver turns the gateway's clock into them.
"""

import functools
import math
from datetime import datetime
from enum import StrEnum

import msgspec

from edge_gateway.device_gateway.simulator.faults import PROBLEMS, Fault
from edge_gateway.device_gateway.simulator.gardens import Garden, Model
from edge_gateway.device_gateway.simulator.route import Route, heading, plan_route

STARTING_SECONDS = 4.0
"""How long a mower prepares in its dock before it leaves."""
LOW_BATTERY_PERCENT = 15.0
"""At this it goes home to charge."""
GO_ON_PERCENT = 90.0
"""At this it goes on with a job that a charging break interrupted."""
_FULL_PERCENT = 100.0
_NEAR = 1e-6


class Phase(StrEnum):
    """What the machine does."""

    DOCKED = "docked"
    STARTING = "starting"
    """In the dock, about to leave."""
    LEAVING = "leaving"
    """On the way to where it mows."""
    MOWING = "mowing"
    PAUSED = "paused"
    RETURNING = "returning"
    IDLE = "idle"
    """Out on the lawn without a job."""
    BROKEN = "broken"
    """Stopped by a problem."""


MOVING = frozenset({Phase.LEAVING, Phase.MOWING, Phase.RETURNING})


class MachineJob(msgspec.Struct, frozen=True, kw_only=True):
    """What it was told to mow."""

    id: str
    started_at: datetime
    grounds: tuple[str, ...]
    angle_degrees: float
    distance_m: float = 0.0
    """How much of the route is behind it."""
    finished: bool = False


class Machine(msgspec.Struct, frozen=True, kw_only=True):
    """The machine at one moment."""

    as_of: datetime
    battery_percent: float
    phase: Phase = Phase.DOCKED
    east: float = 0.0
    north: float = 0.0
    heading_degrees: float = 0.0
    job: MachineJob | None = None
    goes_on: bool = False
    """It goes on with the job by itself when it is charged."""
    starting_seconds: float = 0.0
    """Left of the preparation."""
    jobs_made: int = 0
    problem: str | None = None
    fault: Fault = Fault.NONE
    cutting_height_mm: int = 40
    angle_degrees: float = 0.0
    mow_edges: str = "always"

    @property
    def open_job(self) -> MachineJob | None:
        """Return the job unless it is finished."""
        return None if self.job is None or self.job.finished else self.job


class Body(msgspec.Struct, frozen=True, kw_only=True):
    """What does not change about a machine."""

    model: Model
    garden: Garden

    def route(self, job: MachineJob) -> Route:
        """Return the way of a job."""
        return _route(self, job.grounds, job.angle_degrees)


@functools.lru_cache(maxsize=256)
def _route(body: Body, grounds: tuple[str, ...], angle_degrees: float) -> Route:
    return plan_route(body.garden, grounds, spacing_m=body.model.cutting_width_m, angle_degrees=angle_degrees)


def seconds_to_event(machine: Machine, body: Body) -> float:
    """Return in how many seconds something happens by itself; infinity when nothing does."""
    model = body.model
    match machine.phase:
        case Phase.DOCKED:
            missing = _charging_target(machine) - machine.battery_percent
            if missing > _NEAR:
                return missing / _charged_per_second(model)
            return 0.0 if _leaves(machine) else math.inf
        case Phase.STARTING:
            return machine.starting_seconds
        case Phase.LEAVING | Phase.RETURNING:
            return math.dist((machine.east, machine.north), _goal(machine, body)) / model.travel_speed_m_s
        case Phase.MOWING if machine.job is not None:
            route, done_m = body.route(machine.job), machine.job.distance_m
            change_m = route.next_ground_m(done_m)
            way_m = (route.length_m if change_m is None else change_m) - done_m
            battery = machine.battery_percent - LOW_BATTERY_PERCENT
            return max(min(way_m / model.mowing_speed_m_s, battery / _used_per_second(model)), 0.0)
        case _:
            return math.inf


def pass_time(machine: Machine, body: Body, seconds: float) -> Machine:
    """Return the machine after so many seconds in which nothing happens by itself."""
    model = body.model
    match machine.phase:
        case Phase.DOCKED:
            battery = machine.battery_percent + seconds * _charged_per_second(model)
            return msgspec.structs.replace(machine, battery_percent=min(battery, _FULL_PERCENT))
        case Phase.STARTING:
            return msgspec.structs.replace(machine, starting_seconds=machine.starting_seconds - seconds)
        case Phase.LEAVING | Phase.RETURNING:
            return _travel(_discharge(machine, model, seconds), body, seconds * model.travel_speed_m_s)
        case Phase.MOWING if machine.job is not None:
            route = body.route(machine.job)
            done_m = min(machine.job.distance_m + seconds * model.mowing_speed_m_s, route.length_m)
            place = route.place(done_m)
            return msgspec.structs.replace(
                _discharge(machine, model, seconds),
                job=msgspec.structs.replace(machine.job, distance_m=done_m),
                east=place.east,
                north=place.north,
                heading_degrees=place.heading_degrees,
            )
        case _:
            return machine


def happen(machine: Machine, body: Body) -> Machine:
    """Return the machine after what happens by itself when `seconds_to_event` is over."""
    match machine.phase:
        case Phase.DOCKED:
            return _charged(machine)
        case Phase.STARTING:
            return _set_off(machine)
        case Phase.LEAVING:
            return msgspec.structs.replace(machine, phase=Phase.MOWING)
        case Phase.RETURNING:
            return msgspec.structs.replace(machine, phase=Phase.DOCKED, east=0.0, north=0.0, job=machine.open_job)
        case Phase.MOWING if machine.job is not None:
            return _mow_on(machine, machine.job, body)
        case _:
            return machine


def break_down(machine: Machine) -> Machine:
    """Return the machine stopped by its fault when it drives and the fault is one that stops it."""
    problem = PROBLEMS.get(machine.fault)
    if problem is None or machine.phase not in MOVING:
        return machine
    return msgspec.structs.replace(machine, phase=Phase.BROKEN, problem=problem)


def is_home(machine: Machine) -> bool:
    """Tell whether it stands in its dock."""
    return math.hypot(machine.east, machine.north) <= _NEAR


def _charged(machine: Machine) -> Machine:
    if _leaves(machine):
        return msgspec.structs.replace(machine, phase=Phase.LEAVING, goes_on=False)
    return msgspec.structs.replace(machine, battery_percent=_charging_target(machine))


def _set_off(machine: Machine) -> Machine:
    if machine.fault is Fault.FAIL_IN_START:
        return msgspec.structs.replace(machine, phase=Phase.BROKEN, problem="start_failed")
    return break_down(msgspec.structs.replace(machine, phase=Phase.LEAVING, starting_seconds=0.0))


def _mow_on(machine: Machine, job: MachineJob, body: Body) -> Machine:
    if job.distance_m >= body.route(job).length_m - _NEAR:
        finished = msgspec.structs.replace(job, finished=True)
        return msgspec.structs.replace(machine, phase=Phase.RETURNING, job=finished, goes_on=False)
    if machine.battery_percent <= LOW_BATTERY_PERCENT + _NEAR:
        return msgspec.structs.replace(machine, phase=Phase.RETURNING, goes_on=True)
    return machine


def _goal(machine: Machine, body: Body) -> tuple[float, float]:
    if machine.phase is Phase.RETURNING or machine.job is None:
        return 0.0, 0.0
    place = body.route(machine.job).place(machine.job.distance_m)
    return place.east, place.north


def _travel(machine: Machine, body: Body, distance_m: float) -> Machine:
    here, goal = (machine.east, machine.north), _goal(machine, body)
    left_m = math.dist(here, goal)
    if left_m <= max(distance_m, _NEAR):
        return msgspec.structs.replace(machine, east=goal[0], north=goal[1])
    share = distance_m / left_m
    return msgspec.structs.replace(
        machine,
        east=here[0] + (goal[0] - here[0]) * share,
        north=here[1] + (goal[1] - here[1]) * share,
        heading_degrees=heading(here, goal),
    )


def _leaves(machine: Machine) -> bool:
    wants = machine.goes_on or machine.fault is Fault.LEAVES_BY_ITSELF
    return wants and machine.open_job is not None and machine.battery_percent >= GO_ON_PERCENT - _NEAR


def _charging_target(machine: Machine) -> float:
    wants = machine.goes_on or machine.fault is Fault.LEAVES_BY_ITSELF
    return GO_ON_PERCENT if wants and machine.open_job is not None else _FULL_PERCENT


def _charged_per_second(model: Model) -> float:
    return _FULL_PERCENT / (model.charging_minutes * 60)


def _used_per_second(model: Model) -> float:
    return _FULL_PERCENT / (model.mowing_minutes * 60)


def _discharge(machine: Machine, model: Model, seconds: float) -> Machine:
    battery = max(machine.battery_percent - seconds * _used_per_second(model), 1.0)
    return msgspec.structs.replace(machine, battery_percent=battery)
