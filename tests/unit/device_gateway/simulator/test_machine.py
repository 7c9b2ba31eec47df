"""A simulated machine lives like a real one: jobs across charging breaks, monotonic progress, faults that stop it."""

import itertools
from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from edge_gateway.contracts.mower import Activity
from edge_gateway.device_gateway.provider import DriverState
from edge_gateway.device_gateway.simulator import machine_orders as orders
from edge_gateway.device_gateway.simulator.course import advance, seconds_until_event
from edge_gateway.device_gateway.simulator.faults import Fault
from edge_gateway.device_gateway.simulator.gardens import KINDS
from edge_gateway.device_gateway.simulator.machine import Body, Machine, Phase
from edge_gateway.device_gateway.simulator.report import Site, report

NOON = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
SMALL, MEDIUM, LARGE = (Body(model=model, garden=garden) for model, garden in KINDS)
SITE = Site("SIM-0001", latitude=51.0, longitude=0.0)


def machine(battery: float = 100.0, fault: Fault = Fault.NONE) -> Machine:
    return Machine(as_of=NOON, battery_percent=battery, fault=fault)


def begun(
    body: Body, battery: float = 100.0, fault: Fault = Fault.NONE, keys: tuple[str, ...] | None = None
) -> Machine:
    grounds = keys or tuple(ground.key for ground in body.garden.grounds)
    return orders.start(machine(battery, fault), job_id="job-1", grounds=grounds, angle_degrees=0.0, at=NOON)


def live(current: Machine, body: Body, length: timedelta, *, speed: float = 1.0) -> list[Machine]:
    """Return the machine after each thing that happened, and at the end."""
    end = current.as_of + length
    course = []
    happened = True
    while happened:
        current, happened = advance(current, body, to=end, speed=speed)
        course.append(current)
    return course


def told(current: Machine, body: Body) -> DriverState:
    return report(current, body, SITE, at=current.as_of)


def phases(course: list[Machine]) -> list[Phase]:
    return [course[0].phase, *(b.phase for a, b in itertools.pairwise(course) if a.phase != b.phase)]


def test_a_small_job_runs_from_start_to_the_dock() -> None:
    course = live(begun(SMALL), SMALL, timedelta(hours=3))
    assert phases(course) == [Phase.LEAVING, Phase.MOWING, Phase.RETURNING, Phase.DOCKED]
    assert course[-1].job is None
    returning = next(m for m in course if m.phase is Phase.RETURNING)
    state = told(returning, SMALL)
    assert state.progress_percent == 100.0
    assert state.job is not None
    assert not state.job.resumable


def test_a_large_job_charges_and_goes_on_by_itself_as_the_same_job() -> None:
    course = live(begun(LARGE), LARGE, timedelta(hours=12))
    assert phases(course)[:6] == [
        Phase.LEAVING,
        Phase.MOWING,
        Phase.RETURNING,
        Phase.DOCKED,
        Phase.LEAVING,
        Phase.MOWING,
    ]
    on_break = next(m for m in course if m.phase is Phase.DOCKED)
    state = told(on_break, LARGE)
    assert (state.activity, state.charging, state.on_charger) == (Activity.DOCKED, True, True)
    assert state.job is not None
    assert state.job.resumable
    assert {m.job.id for m in course if m.job is not None} == {"job-1"}
    assert course[-1].phase is Phase.DOCKED
    assert course[-1].job is None


def test_areas_are_mown_one_after_the_other() -> None:
    course = live(begun(MEDIUM), MEDIUM, timedelta(hours=12))
    areas = [told(m, MEDIUM).area_id for m in course if m.phase is Phase.MOWING]
    named = [area for area, before in zip(areas, [None, *areas], strict=False) if area is not None and area != before]
    assert list(dict.fromkeys(named)) == ["sim-0001-back-garden", "sim-0001-orchard", "sim-0001-play-lawn"]


@settings(max_examples=30)
@given(
    kind=st.integers(0, 2),
    speed=st.sampled_from([1.0, 7.3, 60.0, 3000.0]),
    steps=st.lists(st.floats(0.01, 900), min_size=1, max_size=40),
)
def test_progress_never_falls_and_the_course_does_not_depend_on_when_it_is_looked_at(
    kind: int, speed: float, steps: list[float]
) -> None:
    body = (SMALL, MEDIUM, LARGE)[kind]
    often = begun(body)
    progress = 0.0
    for seconds in steps:
        course = live(often, body, timedelta(seconds=seconds / speed), speed=speed)
        often = course[-1]
        for current in course:
            state = told(current, body)
            if state.job is not None and state.progress_percent is not None:
                assert state.progress_percent >= progress
                progress = state.progress_percent
    once = live(begun(body), body, often.as_of - NOON, speed=speed)[-1]
    # A moment is a microsecond of the clock long: at the very moment of a change either side of it is right.
    assume(all(seconds_until_event(current, body, speed=1.0) > 0.1 for current in (often, once)))
    assert once.phase is often.phase
    assert once.battery_percent == pytest.approx(often.battery_percent, abs=0.1)
    assert (once.east, once.north) == pytest.approx((often.east, often.north), abs=1.0)


def test_a_clock_that_goes_back_stands_still_for_the_machine() -> None:
    before = live(begun(SMALL), SMALL, timedelta(minutes=10))[-1]
    after, happened = advance(before, SMALL, to=NOON, speed=1.0)
    assert not happened
    assert after == msgspec.structs.replace(before, as_of=NOON)


def test_nothing_happens_to_a_full_mower_in_its_dock() -> None:
    assert seconds_until_event(machine(), SMALL, speed=1.0) == float("inf")
    charged = live(machine(50.0), SMALL, timedelta(hours=2))[-1]
    assert told(charged, SMALL).battery_percent == 100
    assert told(charged, SMALL).charging is False


def test_paused_stays_where_it_is_and_goes_on_there() -> None:
    mowing = live(begun(SMALL), SMALL, timedelta(minutes=10))[-1]
    paused = orders.pause(mowing)
    later = live(paused, SMALL, timedelta(hours=1))[-1]
    assert told(later, SMALL).activity is Activity.PAUSED
    assert (later.east, later.north) == (mowing.east, mowing.north)
    resumed = live(orders.resume(later, SMALL), SMALL, timedelta(seconds=1))[-1]
    assert resumed.phase is Phase.MOWING
    assert resumed.job is not None
    assert mowing.job is not None
    assert resumed.job.distance_m >= mowing.job.distance_m


def test_sent_home_it_stays_home_with_the_job_open() -> None:
    mowing = live(begun(SMALL), SMALL, timedelta(minutes=10))[-1]
    home = live(orders.return_home(mowing), SMALL, timedelta(hours=24))[-1]
    assert home.phase is Phase.DOCKED
    assert home.open_job is not None
    assert live(orders.resume(home, SMALL), SMALL, timedelta(minutes=2))[-1].phase is Phase.MOWING


def test_a_second_order_to_go_home_turns_it_back_as_some_vendors_do() -> None:
    mowing = live(begun(SMALL), SMALL, timedelta(minutes=10))[-1]
    assert orders.return_home(orders.return_home(mowing)).phase is Phase.PAUSED


def test_cancelled_it_stands_without_a_job() -> None:
    mowing = live(begun(SMALL), SMALL, timedelta(minutes=10))[-1]
    idle = orders.cancel(mowing)
    assert told(idle, SMALL).activity is Activity.IDLE
    assert told(idle, SMALL).job is None
    with pytest.raises(orders.RefusedError, match="no_job"):
        orders.resume(idle, SMALL)


def test_only_some_models_turn_back_on_their_way_home() -> None:
    small = orders.return_home(live(begun(SMALL), SMALL, timedelta(minutes=10))[-1])
    with pytest.raises(orders.RefusedError, match="returning"):
        orders.resume(small, SMALL)
    large = orders.return_home(live(begun(LARGE), LARGE, timedelta(minutes=10))[-1])
    assert orders.resume(large, LARGE).phase is Phase.LEAVING


def test_an_empty_battery_refuses_to_leave() -> None:
    with pytest.raises(orders.RefusedError, match="battery_low"):
        begun(SMALL, battery=19.0)


@pytest.mark.parametrize(("fault", "problem"), [(Fault.STUCK, "stuck"), (Fault.LIFTED, "lifted")])
def test_a_fault_stops_a_driving_mower_and_goes_away(fault: Fault, problem: str) -> None:
    mowing = live(begun(SMALL), SMALL, timedelta(minutes=10))[-1]
    broken = orders.set_fault(mowing, fault)
    state = told(broken, SMALL)
    assert state.activity is Activity.ERROR
    assert state.problem is not None
    assert state.problem.code == problem
    with pytest.raises(orders.RefusedError, match="problem"):
        orders.return_home(broken)
    mended = orders.set_fault(broken, Fault.NONE)
    assert told(mended, SMALL).activity is Activity.PAUSED
    assert told(mended, SMALL).problem is None


def test_a_mower_with_a_fault_breaks_down_when_it_leaves() -> None:
    assert live(begun(SMALL, fault=Fault.STUCK), SMALL, timedelta(seconds=10))[-1].phase is Phase.BROKEN


def test_fail_in_start_fails_in_the_dock() -> None:
    failed = live(begun(SMALL, fault=Fault.FAIL_IN_START), SMALL, timedelta(seconds=10))[-1]
    assert failed.problem == "start_failed"
    assert orders.set_fault(failed, Fault.NONE).phase is Phase.DOCKED


def test_no_motion_says_yes_and_stays() -> None:
    assert live(begun(SMALL, fault=Fault.NO_MOTION), SMALL, timedelta(minutes=5))[-1].phase is Phase.DOCKED


def test_some_leave_by_themselves_when_they_are_charged() -> None:
    mowing = live(begun(SMALL, fault=Fault.LEAVES_BY_ITSELF), SMALL, timedelta(minutes=25))[-1]
    course = live(orders.return_home(mowing), SMALL, timedelta(minutes=30))
    assert phases(course)[:2] == [Phase.DOCKED, Phase.LEAVING]
