"""What one report says about each condition, at the limits and to the letter."""

from datetime import timedelta
from typing import Any

import msgspec
import pytest

from edge_gateway.contracts.commands import CommandKind
from edge_gateway.contracts.mower import Activity, Job, MowerState, Position, Problem
from edge_gateway.contracts.notifications import NotificationCode
from edge_gateway.notifications import rules
from edge_gateway.notifications.geofence import METRES_PER_DEGREE
from edge_gateway.notifications.hysteresis import Condition, Holds, Sight
from edge_gateway.notifications.watch import Spot, Stood, Watch
from tests.unit.notifications.reports import GARDEN, HOME, JOB, LIFTED, STREET, STUCK, THRESHOLDS, at, order, state

WATCH = Watch(mower_id="m1", account_id="home")


def watch(**changes: Any) -> Watch:  # noqa: ANN401  # fields by name
    return msgspec.structs.replace(WATCH, **changes)


def north_of(place: Position, metres: float) -> Position:
    return Position(latitude=place.latitude + metres / METRES_PER_DEGREE, longitude=place.longitude)


@pytest.mark.parametrize(
    ("told", "on_dock"),
    [
        (state(0, Activity.DOCKED), True),
        (state(0, Activity.IDLE), False),
        (state(0, Activity.UNKNOWN), None),
        (state(0, Activity.UNKNOWN, charging=True), True),
        (state(0, Activity.IDLE, charging=False), False),
        (state(0, Activity.DOCKED, on_charger=False, charging=True), False),
        (state(0, Activity.IDLE, on_charger=True), True),
    ],
)
def test_where_it_stands_is_the_contact_s_word_then_the_charge_s_then_the_mode_s(
    told: MowerState, *, on_dock: bool | None
) -> None:
    assert rules.is_on_dock(told) is on_dock


OPEN = {"error/lifted": Condition(is_open=True, began_at=at(0)), "stuck": Condition(is_open=True, began_at=at(0))}


@pytest.mark.parametrize(
    ("told", "sights"),
    [
        (state(0), {"error/lifted": Sight(seen=False)}),
        (state(0, Activity.UNKNOWN), {"error/lifted": Sight(seen=None)}),
        (state(0, Activity.ERROR, problem=STUCK), {"error/lifted": Sight(seen=None)}),
        (
            state(0, Activity.IDLE, problem=LIFTED),
            {"error/lifted": Sight(seen=True, values={"problem_code": "lifted", "vendor_code": "2801"})},
        ),
        (
            state(0, Activity.ERROR, problem=Problem(code="tilted")),
            {
                "error/lifted": Sight(seen=None),
                "error/tilted": Sight(seen=True, values={"problem_code": "tilted"}),
            },
        ),
        (
            state(0, Activity.ERROR),
            {
                "error/lifted": Sight(seen=None),
                "error/unspecified": Sight(seen=True, values={"problem_code": "unspecified"}),
            },
        ),
    ],
)
def test_errors_are_seen_one_at_a_time(told: MowerState, sights: dict[str, Sight]) -> None:
    assert rules.errors(told, watch(conditions=OPEN)) == sights


SPOT = Spot(position=HOME, since=at(0), seen_at=at(60), progress_percent=40.0)


@pytest.mark.parametrize(
    ("seconds", "changes", "stays"),
    [
        (180, {}, True),
        (180.1, {}, False),
        (90, {"position": north_of(HOME, 1.99)}, True),
        (90, {"position": north_of(HOME, 2.01)}, False),
        (90, {"progress_percent": 40.1}, False),
        (90, {"progress_percent": None}, False),
    ],
)
def test_a_spot_is_left_by_two_metres_by_progress_or_by_two_minutes_of_silence(
    seconds: float, changes: dict[str, Any], *, stays: bool
) -> None:
    told = state(seconds, **{"progress_percent": 40.0, **changes})
    fresh = Spot(
        position=told.position or HOME,
        since=told.observed_at,
        seen_at=told.observed_at,
        progress_percent=told.progress_percent,
    )
    expected = msgspec.structs.replace(SPOT, seen_at=told.observed_at) if stays else fresh
    assert rules.follow_spot(told, SPOT) == expected
    assert rules.follow_spot(told, None) == fresh


@pytest.mark.parametrize("told", [state(90, position=None), state(90, Activity.RETURNING)])
def test_without_a_place_or_not_mowing_it_stays_on_no_spot(told: MowerState) -> None:
    assert rules.follow_spot(told, SPOT) is None


@pytest.mark.parametrize(
    ("told", "stood_seconds", "sight"),
    [
        (state(0), None, Sight(seen=False)),
        (state(0), 599, Sight(seen=False)),
        (state(0), 600.4, Sight(seen=True, values={"source": "standstill", "seconds": 600})),
        (state(0, problem=STUCK), 600, Sight(seen=True, values={"source": "reported"})),
        (state(0, problem=LIFTED), 600, Sight(seen=True, values={"source": "standstill", "seconds": 600})),
        (state(0, problem=LIFTED), None, Sight(seen=None)),
        (state(0, Activity.UNKNOWN), None, Sight(seen=None)),
        (state(0, Activity.ERROR), None, Sight(seen=None)),
    ],
)
def test_stuck_is_reported_or_ten_minutes_on_one_spot(
    told: MowerState, stood_seconds: float | None, sight: Sight
) -> None:
    spot = None if stood_seconds is None else msgspec.structs.replace(SPOT, seen_at=at(stood_seconds))
    assert rules.stuck(told, spot, THRESHOLDS) == sight


@pytest.mark.parametrize(
    ("percent", "activity", "sight"),
    [
        (10, Activity.MOWING, Sight(seen=True, values={"battery_percent": 10})),
        (11, Activity.MOWING, Sight(seen=None)),
        (14, Activity.MOWING, Sight(seen=None)),
        (15, Activity.MOWING, Sight(seen=False)),
        (None, Activity.MOWING, Sight(seen=None)),
        (3, Activity.UNKNOWN, Sight(seen=None)),
        (3, Activity.DOCKED, Sight(seen=False)),
        (None, Activity.DOCKED, Sight(seen=False)),
    ],
)
def test_a_battery_is_low_at_ten_percent_and_well_again_at_fifteen(
    percent: int | None, activity: Activity, sight: Sight
) -> None:
    assert rules.low_battery(state(0, activity, battery_percent=percent), THRESHOLDS) == sight


def test_outside_it_was_carried_unless_it_drove_to_within_five_metres() -> None:
    told = state(0, Activity.IDLE, position=STREET)
    outside = GARDEN.metres_outside(STREET)
    carried = Sight(
        seen=True,
        values={"latitude": STREET.latitude, "longitude": STREET.longitude, "metres_outside": round(outside, 1)},
    )
    assert rules.left_geofence(told, watch(), GARDEN) == carried
    just = state(0, Activity.IDLE, position=north_of(Position(latitude=52.0001, longitude=13.0), 5.5))
    assert rules.left_geofence(just, watch(), GARDEN).values["metres_outside"] == 0.5
    assert rules.left_geofence(told, watch(driven_to=north_of(STREET, 5.01)), GARDEN) == carried
    assert rules.left_geofence(told, watch(driven_to=north_of(STREET, 4.99)), GARDEN) == Sight(seen=None)
    assert rules.left_geofence(state(0, position=STREET), watch(), GARDEN) == Sight(seen=None)
    assert rules.left_geofence(state(0, position=HOME), watch(), GARDEN) == Sight(seen=False)
    assert rules.left_geofence(state(0, position=None), watch(), GARDEN) == Sight(seen=None)
    assert rules.left_geofence(told, watch(), None) == Sight(seen=None)


PAUSE = order(5, CommandKind.PAUSE)
STOOD = Stood(observed_at=at(6), job_id="job-1")


@pytest.mark.parametrize(
    ("told", "changes", "seen"),
    [
        (state(9, job=JOB), {}, True),
        (state(9, job=JOB), {"order": order(5, CommandKind.RETURN_TO_DOCK)}, True),
        (state(9, job=JOB), {"order": order(5, CommandKind.START_MOW)}, None),
        (state(9, job=JOB), {"order": None}, None),
        (state(9, job=JOB), {"stood": None}, None),
        (state(9, job=JOB), {"stood": Stood(observed_at=at(5), job_id="job-1")}, None),
        (state(9, job=JOB), {"defied": PAUSE.command_id}, None),
        (state(9, job=Job(id="job-2")), {}, None),
        (state(9), {}, None),
        (state(9), {"stood": Stood(observed_at=at(6), job_id=None)}, True),
        (state(9, Activity.RETURNING, job=JOB), {}, None),
        *((state(9, standing, job=JOB), {}, False) for standing in (Activity.DOCKED, Activity.PAUSED, Activity.IDLE)),
    ],
)
def test_it_resumed_by_itself_when_it_mows_the_job_that_it_stood_with_after_the_order_to_stop(
    told: MowerState, changes: dict[str, Any], *, seen: bool | None
) -> None:
    sight = rules.resumed_by_itself(told, watch(**{"order": PAUSE, "stood": STOOD, **changes}))
    assert sight.seen is seen
    if seen:
        kind = (changes.get("order") or PAUSE).kind.value
        assert sight.values == {"command_id": "c5", "kind": kind}


def test_holds_are_those_of_a_condition_s_code() -> None:
    assert rules.code_of("error/some/thing") is NotificationCode.ERROR
    assert THRESHOLDS.holds_of("offline") == Holds(begin=timedelta(minutes=5), end=timedelta(seconds=30))
    assert THRESHOLDS.holds_of("error/lifted") == Holds(end=timedelta(seconds=30))
    assert THRESHOLDS.holds_of("blade_worn") == Holds()
