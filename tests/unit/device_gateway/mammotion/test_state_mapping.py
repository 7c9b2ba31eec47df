"""The table: every mode of the vendor, on the charger, off it and untold, with and without a breakpoint."""

import itertools

import pytest

from edge_gateway.contracts.mower import Activity, Job, Position, Problem
from edge_gateway.device_gateway.mammotion.modes import Mode
from edge_gateway.device_gateway.mammotion.problems import busy_with, problem_of, start_blocker
from edge_gateway.device_gateway.mammotion.state_mapping import (
    activity_of,
    area_of,
    driver_state,
    is_charging,
    job_is_interrupted,
    position_of,
)
from edge_gateway.device_gateway.provider import DriverState
from tests.unit.device_gateway.mammotion.readings import NOON, reading

DOCKED, ERROR, IDLE, PAUSED, UNKNOWN = (
    Activity.DOCKED,
    Activity.ERROR,
    Activity.IDLE,
    Activity.PAUSED,
    Activity.UNKNOWN,
)
MOWING, RETURNING = Activity.MOWING, Activity.RETURNING

# Per mode: on the charger; off it without, with a breakpoint; with the contact untold.
TABLE: dict[Mode, tuple[Activity, Activity, Activity, Activity]] = {
    Mode.READY: (DOCKED, IDLE, PAUSED, UNKNOWN),
    Mode.WORKING: (DOCKED, MOWING, MOWING, MOWING),
    Mode.RETURNING: (DOCKED, RETURNING, RETURNING, RETURNING),
    Mode.CHARGING: (DOCKED, UNKNOWN, UNKNOWN, UNKNOWN),
    Mode.PAUSE: (DOCKED, PAUSED, PAUSED, UNKNOWN),
    Mode.CHARGING_PAUSE: (DOCKED, PAUSED, PAUSED, UNKNOWN),
    Mode.SLEEPING: (DOCKED, IDLE, PAUSED, UNKNOWN),
    Mode.LOCK: (ERROR, ERROR, ERROR, ERROR),
    Mode.SYSTEM_ERROR: (ERROR, ERROR, ERROR, ERROR),
    Mode.LOCATION_ERROR: (ERROR, ERROR, ERROR, ERROR),
    Mode.BOUNDARY_JUMP: (ERROR, ERROR, ERROR, ERROR),
}
ALL_UNKNOWN = (UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN)
BREAKPOINTS = (0, 1, 4, 8, 10, 11, 18, 99)


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("charge_state", [0, 1, 2, None])
@pytest.mark.parametrize("breakpoint", BREAKPOINTS)
def test_the_table(mode: Mode, charge_state: int | None, breakpoint: int) -> None:  # noqa: A002  # the field's name
    on_charger, idle, interrupted, untold = TABLE.get(mode, ALL_UNKNOWN)
    if charge_state is None:
        expected = untold
    elif charge_state:
        expected = on_charger
    else:
        expected = interrupted if breakpoint else idle
    told = reading(mode=mode, charge_state=charge_state, breakpoint=breakpoint)
    assert activity_of(told) is expected


@pytest.mark.parametrize(("mode", "charge_state"), tuple(itertools.product([None, 4, 60, 255], [0, 1, None])))
def test_a_mode_that_is_new_or_untold_is_unknown_and_never_docked(mode: int | None, charge_state: int | None) -> None:
    assert activity_of(reading(mode=mode, charge_state=charge_state)) is UNKNOWN


@pytest.mark.parametrize(
    ("charge_state", "battery", "charging"),
    [(0, 50, False), (1, 50, True), (2, 100, False), (1, None, None), (None, 50, None)],
)
def test_charging_is_null_until_contact_and_battery_are_told(
    charge_state: int | None, battery: int | None, *, charging: bool | None
) -> None:
    assert is_charging(reading(charge_state=charge_state, battery_percent=battery)) is charging


def test_a_reason_that_is_new_interrupts_all_the_same() -> None:
    assert job_is_interrupted(reading(breakpoint=99))
    assert not job_is_interrupted(reading(breakpoint=None))


def test_a_place_is_null_without_both_coordinates() -> None:
    assert position_of(reading(latitude=52.0)) is None
    assert position_of(reading(longitude=13.0)) is None
    assert position_of(reading(latitude=52.0, longitude=13.0)) == Position(latitude=52.0, longitude=13.0)


@pytest.mark.parametrize(
    ("told", "job_areas", "area"),
    [
        ({"mode": 13, "zone_hash": 7, "place": 1}, (), "lawn"),
        ({"mode": 13, "zone_hash": 7, "place": 4}, (), "lawn"),
        ({"mode": 13, "zone_hash": 7, "place": 7}, ("lawn", "other"), "lawn"),
        ({"mode": 13, "zone_hash": 7, "place": 3}, (), None),
        ({"mode": 13, "zone_hash": 7, "place": 1}, ("other",), None),
        ({"mode": 13, "zone_hash": 9, "place": 1}, (), None),
        ({"mode": 14, "zone_hash": 7, "place": 1}, (), None),
        ({"mode": 13, "zone_hash": None, "place": 1}, (), None),
    ],
    ids=["mowed", "turning", "at its border", "on the way", "only crossed", "not on the map", "returning", "untold"],
)
def test_the_area_is_the_one_that_is_mowed(told: dict[str, int], job_areas: tuple[str, ...], area: str | None) -> None:
    one = reading(**told)
    assert area_of(one, activity_of(one), area_ids={7: "lawn"}, job_area_ids=job_areas) == area


@pytest.mark.parametrize(
    ("told", "problem"),
    [
        ({"mode": 17}, Problem(code="locked", vendor_code="mode_17")),
        ({"mode": 18}, Problem(code="system_error")),
        ({"mode": 18, "error_codes": (-1202, -2801)}, Problem(code="blade_blocked", vendor_code="1202")),
        ({"mode": 18, "error_codes": (-4711,)}, Problem(code="vendor_4711", vendor_code="4711")),
        ({"mode": 37}, Problem(code="position_lost", vendor_code="mode_37")),
        ({"mode": 38}, Problem(code="outside_area", vendor_code="mode_38")),
        ({"mode": 19, "breakpoint": 4}, Problem(code="stuck", vendor_code="breakpoint_4")),
        ({"mode": 19, "breakpoint": 21}, Problem(code="stuck", vendor_code="breakpoint_21")),
        ({"mode": 11, "breakpoint": 7}, Problem(code="position_lost", vendor_code="breakpoint_7")),
        ({"mode": 13, "breakpoint": 4}, None),
        ({"mode": 19, "breakpoint": 11}, None),
        ({"mode": 19, "breakpoint": 10}, None),
        ({"mode": 13, "error_codes": (-1202,)}, None),
    ],
)
def test_a_problem_is_what_is_wrong_now_and_not_what_the_log_remembers(
    told: dict[str, int], problem: Problem | None
) -> None:
    assert problem_of(reading(**told)) == problem


@pytest.mark.parametrize(
    ("mode", "word"),
    [
        (Mode.UPDATING, "updating"),
        (Mode.ERASER_DRAW, "map_edited"),
        (Mode.MANUAL_MOWING, "driven_by_hand"),
        (Mode.INITIALIZATION, "starting_up"),
        (Mode.POWER_OFF, "switched_off"),
        (Mode.WORKING, "not_ready"),
        (None, "not_ready"),
    ],
)
def test_what_it_is_busy_with_is_named(mode: int | None, word: str) -> None:
    assert busy_with(reading(mode=mode)) == word


@pytest.mark.parametrize(
    ("number", "word"),
    [(0, None), (10, None), (20, "rain"), (23, "non_work_hours"), (34, "rain_protection"), (99, None)],
)
def test_what_keeps_it_from_starting_is_named(number: int, word: str | None) -> None:
    assert start_blocker(reading(self_check=number)) == word
    assert start_blocker(reading(self_check=None)) is None


def test_a_state_holds_all_that_a_report_and_its_job_say() -> None:
    told = reading(
        mode=Mode.WORKING, battery_percent=80, latitude=52.0, longitude=13.0, zone_hash=7, place=1, breakpoint=0
    )
    job = Job(id="job-1", area_ids=("lawn",))
    state = driver_state(told, job=job, progress_percent=40.0, area_ids={7: "lawn"})
    assert state == DriverState(
        observed_at=NOON,
        activity=MOWING,
        battery_percent=80,
        charging=False,
        on_charger=False,
        position=Position(latitude=52.0, longitude=13.0),
        area_id="lawn",
        progress_percent=40.0,
        job=job,
    )
    elsewhere = driver_state(told, job=Job(id="job-1", area_ids=("bed",)), progress_percent=None, area_ids={7: "lawn"})
    assert elsewhere.area_id is None
    locked = driver_state(reading(mode=Mode.LOCK), job=None, progress_percent=None, area_ids={})
    assert locked.problem == Problem(code="locked", vendor_code="mode_17")


def test_a_state_holds_what_was_told_and_null_for_the_rest() -> None:
    state = driver_state(
        reading(mode=None, charge_state=None, breakpoint=None, path_hash=None),
        job=None,
        progress_percent=None,
        area_ids={},
    )
    assert state.observed_at == NOON
    assert state.activity is UNKNOWN
    known = (state.battery_percent, state.charging, state.on_charger, state.position, state.area_id, state.problem)
    assert known == (None,) * 6
