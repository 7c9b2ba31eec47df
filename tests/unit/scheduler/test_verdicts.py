"""The order of verdicts, and each of them."""

import dataclasses
from datetime import timedelta
from itertools import combinations
from typing import Any

import pytest

from edge_gateway.contracts.mower import Activity
from edge_gateway.contracts.schedules import RunOutcome
from edge_gateway.contracts.weather import Override
from edge_gateway.scheduler import rain
from edge_gateway.scheduler.forecast import Forecast, ForecastHour
from edge_gateway.scheduler.quiet_hours import Interval
from edge_gateway.scheduler.verdicts import End, Facts, Reason, Slots, Start, Target, Wait, decide, window_closed
from tests.unit.scheduler.factories import NINE, mower

LATER = NINE + timedelta(minutes=60)
MAPPED = Target(area_ids=("a", "b"), enabled_area_ids=("a",))
RAINING = rain.decide(
    Forecast("test", NINE, (ForecastHour(NINE, NINE + timedelta(hours=1), 3.0, 90.0),)), NINE, rain.RainRule()
)
DRY = rain.decide(None, NINE, rain.RainRule())

RAIN_NUMBERS = {
    **RAINING.numbers,
    "rain_reason": "rain_expected",
    "wet": True,
    "wet_until": NINE + timedelta(hours=1),
    "pause_until": None,
}
ANGLE = {"angle": 30}
"""What else the record is to say."""
NIGHT = Interval(NINE, NINE + timedelta(hours=10))

TROUBLES: list[tuple[str, dict[str, Any], End]] = [
    ("manual skip", {"skipped": True}, End(RunOutcome.SKIPPED_MANUAL, "skipped")),
    ("target gone", {"target": Reason.TARGET_GONE}, End(RunOutcome.FAILED, "target_gone")),
    ("window closed", {"now": LATER}, End(RunOutcome.SKIPPED_WINDOW, "window_closed")),
    (
        "quiet hours",
        {"quiet": NIGHT},
        End(RunOutcome.SKIPPED_WINDOW, "quiet_hours", {**ANGLE, "quiet_from": NIGHT.begin, "quiet_until": NIGHT.end}),
    ),
    (
        "permission",
        {"target": Target(area_ids=("a",), enabled_area_ids=("a",), refusal="forbidden")},
        End(RunOutcome.SKIPPED_PERMISSION, "forbidden"),
    ),
    (
        "busy",
        {"mower": mower(activity=Activity.MOWING)},
        End(RunOutcome.SKIPPED_MOWER_BUSY, "mower_busy", {"activity": "mowing"}),
    ),
    ("rain", {"rain": RAINING}, End(RunOutcome.SKIPPED_RAIN, "rain_expected", ANGLE | RAIN_NUMBERS)),
]
"""In the order of the design."""


def facts(**changes: Any) -> Facts:  # noqa: ANN401  # any of the facts
    values: dict[str, Any] = {
        "now": NINE,
        "start_before": LATER,
        "target": MAPPED,
        "mower": mower(activity=Activity.DOCKED),
        "rain": DRY,
        "numbers": ANGLE,
    }
    return Facts(**values | changes)


def outcome_of(changes: dict[str, Any]) -> tuple[RunOutcome, str]:
    verdict = decide(facts(**changes))
    assert isinstance(verdict, End)
    return verdict.outcome, verdict.reason


@pytest.mark.parametrize(("changes", "expected"), [(changes, end) for _, changes, end in TROUBLES])
def test_each_verdict_alone(changes: dict[str, Any], expected: End) -> None:
    assert decide(facts(**changes)) == expected


@pytest.mark.parametrize(("first", "second"), tuple(combinations(TROUBLES, 2)), ids=lambda trouble: trouble[0])
def test_the_earlier_verdict_wins(
    first: tuple[str, dict[str, Any], End], second: tuple[str, dict[str, Any], End]
) -> None:
    both = second[1] | first[1]
    assert outcome_of(both) == (first[2].outcome, first[2].reason)


def test_nothing_in_the_way_starts_and_says_by_what() -> None:
    verdict = decide(facts(numbers={"provider": "static"}))
    assert isinstance(verdict, Start)
    assert verdict.numbers["provider"] == "static"
    assert verdict.numbers["rain_reason"] == "forecast_unknown"
    assert verdict.numbers["rain_rule"]["probability_percent"] == 60.0


def test_the_window_is_open_until_its_end() -> None:
    assert isinstance(decide(facts(now=LATER - timedelta(microseconds=1))), Start)


@pytest.mark.parametrize("waited", ["unavailable", "in_transition", "fleet_silent"])
def test_a_row_that_waited_ends_with_what_it_waited_for(waited: str) -> None:
    assert outcome_of({"now": LATER, "waiting_for": waited}) == (RunOutcome.FAILED, waited)


def test_a_silent_fleet_is_waited_for_until_the_window_closes() -> None:
    assert decide(facts(target=Reason.FLEET_SILENT)) == Wait("fleet_silent")
    assert outcome_of({"target": Reason.FLEET_SILENT, "now": LATER, "waiting_for": "fleet_silent"}) == (
        RunOutcome.FAILED,
        "fleet_silent",
    )
    assert outcome_of({"target": Reason.FLEET_SILENT, "skipped": True}) == (RunOutcome.SKIPPED_MANUAL, "skipped")


@pytest.mark.parametrize("activity", [Activity.MOWING, Activity.PAUSED, Activity.RETURNING])
def test_a_mower_that_is_out_is_busy(activity: Activity) -> None:
    assert outcome_of({"mower": mower(activity=activity)}) == (RunOutcome.SKIPPED_MOWER_BUSY, "mower_busy")


@pytest.mark.parametrize("activity", [Activity.DOCKED, Activity.IDLE, Activity.ERROR, Activity.UNKNOWN])
def test_any_other_is_asked(activity: Activity) -> None:
    assert isinstance(decide(facts(mower=mower(activity=activity))), Start)


def test_what_a_mower_did_that_cannot_be_reached_says_nothing() -> None:
    assert decide(facts(mower=mower(activity=Activity.MOWING, available=False))) == Wait("unavailable")


def test_a_mower_that_is_on_its_way_home_is_waited_for_once_it_was_told_to_be() -> None:
    returning = mower(activity=Activity.RETURNING)
    assert decide(facts(mower=returning, waiting_for="in_transition")) == Wait("in_transition")
    assert outcome_of({"mower": mower(activity=Activity.MOWING), "waiting_for": "in_transition"}) == (
        RunOutcome.SKIPPED_MOWER_BUSY,
        "mower_busy",
    )


def test_another_run_makes_it_busy() -> None:
    assert decide(facts(other_run_id="run-2")) == End(RunOutcome.SKIPPED_MOWER_BUSY, "other_run", {"run_id": "run-2"})


def test_a_mower_that_does_not_obey_the_rain_has_no_verdict_of_it() -> None:
    assert decide(facts(rain=None)) == Start(ANGLE)


@pytest.mark.parametrize(
    ("target", "area_ids", "end"),
    [
        (Target(area_ids=None, enabled_area_ids=None), None, End(RunOutcome.FAILED, "map_unknown")),
        (Target(area_ids=None, enabled_area_ids=None), ("a",), End(RunOutcome.FAILED, "map_unknown")),
        (Target(area_ids=("a",), enabled_area_ids=None), ("a",), End(RunOutcome.FAILED, "map_unknown")),
        (MAPPED, ("a", "x", "y"), End(RunOutcome.FAILED, "areas_gone", {"area_ids": ["x", "y"]})),
        (Target(area_ids=("a",), enabled_area_ids=()), None, End(RunOutcome.FAILED, "no_area_enabled")),
    ],
)
def test_areas_are_never_a_guess(target: Target, area_ids: tuple[str, ...] | None, end: End) -> None:
    assert decide(facts(target=target, area_ids=area_ids)) == end


def test_an_area_that_is_named_is_mown_though_it_is_not_enabled() -> None:
    assert isinstance(decide(facts(area_ids=("b",))), Start)


def test_rain_is_waited_for_where_the_plan_says_so_and_the_end_says_rain() -> None:
    waiting = decide(facts(rain=RAINING, waits_for_rain=True))
    assert waiting == Wait("rain", numbers=ANGLE | RAIN_NUMBERS, each_tick=True)
    assert isinstance(decide(facts(waits_for_rain=True, waiting_for="rain")), Start)
    assert decide(facts(now=LATER, waiting_for="rain", waited_by={"rain_reason": "rain_recent"})) == End(
        RunOutcome.SKIPPED_RAIN, "rain_recent"
    )
    assert decide(facts(now=LATER, waiting_for="rain")) == End(RunOutcome.SKIPPED_RAIN, "rain")
    assert window_closed("rain") == End(RunOutcome.SKIPPED_RAIN, "rain")


@pytest.mark.parametrize(("held_days", "starts"), [(2, False), (3, True), (4, True)])
def test_after_so_many_held_days_it_runs_all_the_same_and_says_so(held_days: int, starts: bool) -> None:  # noqa: FBT001
    verdict = decide(facts(rain=RAINING, max_hold_days=3, held_days=held_days))
    assert isinstance(verdict, Start) == starts
    if starts:
        numbers = {**ANGLE, **RAIN_NUMBERS, "held_days": held_days, "max_hold_days": 3}
        assert verdict == Start(numbers, rain_exempt=True)


def test_a_start_in_dry_weather_is_no_exemption() -> None:
    verdict = decide(facts(max_hold_days=3, held_days=3))
    assert isinstance(verdict, Start)
    assert not verdict.rain_exempt
    assert "held_days" not in verdict.numbers


def test_a_slot_is_waited_for_last_of_all() -> None:
    waiting = decide(facts(slots=Slots(1, 1)))
    assert waiting == Wait("no_slot", numbers={"max_concurrent": 1, "mowers_out": 1}, each_tick=True)
    assert isinstance(decide(facts(slots=Slots(2, 1))), Start)
    assert isinstance(decide(facts(slots=Slots(1, 1), rain=RAINING)), End)
    assert decide(facts(now=LATER, waiting_for="no_slot")) == End(RunOutcome.SKIPPED_WINDOW, "no_slot")


WORD = Override(until=LATER, set_by="user:owner", set_at=NINE)
WORD_NUMBERS = {"until": LATER, "set_by": "user:owner", "set_at": NINE}


def test_a_person_s_hold_keeps_it_at_home_even_where_its_target_is_gone() -> None:
    held = End(RunOutcome.SKIPPED_MANUAL, "held_by_user", {"mower_hold": WORD_NUMBERS})
    assert decide(facts(mower_hold=WORD)) == held
    assert decide(facts(mower_hold=WORD, target=Reason.TARGET_GONE)) == held
    assert decide(facts(mower_hold=WORD, skipped=True)) == End(RunOutcome.SKIPPED_MANUAL, "skipped")


def test_a_person_s_word_on_the_rain_is_done_and_recorded() -> None:
    verdict = decide(facts(rain=RAINING, rain_override=WORD, max_hold_days=3, held_days=1))
    assert verdict == Start({**ANGLE, "rain_override": WORD_NUMBERS, **RAIN_NUMBERS}, rain_exempt=True)
    awaited = facts(rain_override=WORD, forecast_awaited_until=LATER)
    assert isinstance(decide(awaited), Start)


def test_the_first_forecast_is_waited_for_until_its_time_where_the_rule_is_on() -> None:
    until = NINE + timedelta(minutes=2)
    awaited = facts(forecast_awaited_until=until)
    assert decide(awaited) == Wait("forecast", until)
    assert isinstance(decide(dataclasses.replace(awaited, now=until)), Start)
    off = rain.decide(None, NINE, rain.RainRule(enabled=False))
    assert isinstance(decide(dataclasses.replace(awaited, rain=off)), Start)
    assert decide(facts(now=LATER, waiting_for="forecast")) == End(RunOutcome.SKIPPED_WINDOW, "window_closed")
