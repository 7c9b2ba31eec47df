"""The table: every mode of the vendor, on the charger, off it and untold, with and without a breakpoint."""

import itertools

import pytest

from edge_gateway.contracts.mower import Activity
from edge_gateway.device_gateway.mammotion.modes import Mode
from edge_gateway.device_gateway.mammotion.problems import start_blocker
from edge_gateway.device_gateway.mammotion.state_mapping import (
    activity_of,
    area_of,
    driver_state,
    is_charging,
    job_is_interrupted,
    position_of,
)
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
    position = position_of(reading(latitude=52.0, longitude=13.0))
    assert position is not None
    assert position.heading_degrees is None


@pytest.mark.parametrize(
    ("told", "job_areas", "area"),
    [
        ({"mode": 13, "zone_hash": 7, "place": 1}, (), "lawn"),
        ({"mode": 13, "zone_hash": 7, "place": 3}, (), None),
        ({"mode": 13, "zone_hash": 7, "place": 1}, ("other",), None),
        ({"mode": 13, "zone_hash": 9, "place": 1}, (), None),
        ({"mode": 14, "zone_hash": 7, "place": 1}, (), None),
        ({"mode": 13, "zone_hash": None, "place": 1}, (), None),
    ],
    ids=["mowed", "on the way", "only crossed", "not on the map", "returning", "untold"],
)
def test_the_area_is_the_one_that_is_mowed(told: dict[str, int], job_areas: tuple[str, ...], area: str | None) -> None:
    one = reading(**told)
    assert area_of(one, activity_of(one), area_ids={7: "lawn"}, job_area_ids=job_areas) == area


@pytest.mark.parametrize(
    ("told", "problem"),
    [
        ({"mode": 17}, "locked"),
        ({"mode": 18}, "system_error"),
        ({"mode": 18, "error_codes": (-1202, -2801)}, "blade_blocked"),
        ({"mode": 18, "error_codes": (-4711,)}, "vendor_4711"),
        ({"mode": 37}, "position_lost"),
        ({"mode": 38}, "outside_area"),
        ({"mode": 19, "breakpoint": 4}, "stuck"),
        ({"mode": 19, "breakpoint": 21}, "stuck"),
        ({"mode": 11, "breakpoint": 7}, "position_lost"),
        ({"mode": 19, "breakpoint": 11}, None),
        ({"mode": 19, "breakpoint": 10}, None),
        ({"mode": 13, "error_codes": (-1202,)}, None),
    ],
)
def test_a_problem_is_what_is_wrong_now_and_not_what_the_log_remembers(
    told: dict[str, int], problem: str | None
) -> None:
    state = driver_state(reading(**told), job=None, progress_percent=None, area_ids={})
    assert (state.problem.code if state.problem else None) == problem


@pytest.mark.parametrize(
    ("number", "word"),
    [(0, None), (10, None), (20, "rain"), (23, "non_work_hours"), (34, "rain_protection"), (99, None)],
)
def test_what_keeps_it_from_starting_is_named(number: int, word: str | None) -> None:
    assert start_blocker(reading(self_check=number)) == word


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
