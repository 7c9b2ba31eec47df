"""The rain rule by name, and against a reading of the design step by step."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edge_gateway.contracts.fleet import SiteRain
from edge_gateway.contracts.schedules import RainSettings
from edge_gateway.scheduler.forecast import Forecast, ForecastHour
from edge_gateway.scheduler.rain import RainReason, RainRule, decide, rule_of

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
DEFAULT = RainRule()


def forecast(values: dict[int, tuple[float | None, float | None]], *, first: int = -6, last: int = 12) -> Forecast:
    """Return dry hours from noon + first to noon + last, but for those given as (millimetres, percent)."""
    hours = tuple(
        ForecastHour(NOON + number * HOUR, NOON + (number + 1) * HOUR, *values.get(number, (0.0, 0.0)))
        for number in range(first, last)
    )
    return Forecast("test", NOON - timedelta(minutes=10), hours)


def test_dry() -> None:
    verdict = decide(forecast({}), NOON, DEFAULT)
    assert (verdict.hold, verdict.reason, verdict.wet) == (False, RainReason.DRY, False)
    assert verdict.wet_until is None
    assert verdict.pause_until is None
    assert verdict.numbers["provider"] == "test"
    assert verdict.numbers["forecast_age_seconds"] == 600


@pytest.mark.parametrize(("number", "holds"), [(0, True), (1, True), (3, True), (4, False)])
def test_probability_ahead(number: int, holds: bool) -> None:  # noqa: FBT001  # the table's column
    assert decide(forecast({number: (0.0, 60.0)}), NOON, DEFAULT).hold is holds


def test_the_hour_that_begins_at_the_end_of_the_lookahead_is_looked_at() -> None:
    assert decide(forecast({3: (0.5, None)}), NOON, DEFAULT).hold
    assert not decide(forecast({3: (0.5, 0.0)}), NOON - timedelta(microseconds=1), DEFAULT).hold


@pytest.mark.parametrize(("number", "holds"), [(-1, True), (-2, True), (-3, False)])
def test_rain_that_fell(number: int, holds: bool) -> None:  # noqa: FBT001  # the table's column
    verdict = decide(forecast({number: (0.5, 0.0)}), NOON, DEFAULT)
    assert verdict.hold is holds
    assert verdict.reason is (RainReason.RAIN_RECENT if holds else RainReason.DRY)


def test_probability_of_the_past_does_not_hold() -> None:
    assert not decide(forecast({-1: (0.0, 100.0)}), NOON, DEFAULT).hold


def test_thresholds_are_reached_at_their_value() -> None:
    assert decide(forecast({1: (0.5, 0.0)}), NOON, DEFAULT).hold
    assert not decide(forecast({1: (0.49, 59.9)}), NOON, DEFAULT).hold


def test_pause_until_is_after_the_cooldown_of_the_last_wet_hour() -> None:
    verdict = decide(forecast({0: (2.0, 90.0), 1: (1.0, 90.0)}), NOON, DEFAULT)
    assert verdict.wet_until == NOON + 2 * HOUR
    assert verdict.pause_until == NOON + 4 * HOUR


def test_pause_until_of_a_shower_that_is_only_probable_has_no_cooldown() -> None:
    assert decide(forecast({1: (0.0, 80.0)}), NOON, DEFAULT).pause_until == NOON + 2 * HOUR


def test_pause_until_goes_on_over_the_next_shower_within_the_lookahead() -> None:
    verdict = decide(forecast({0: (2.0, 90.0), 5: (2.0, 90.0)}), NOON, DEFAULT)
    assert verdict.pause_until == NOON + 8 * HOUR


def test_pause_until_is_null_when_the_forecast_ends_first() -> None:
    verdict = decide(forecast({0: (2.0, 90.0)}, last=4), NOON, DEFAULT)
    assert verdict.hold
    assert verdict.pause_until is None


def test_no_forecast_is_unknown_and_runs_by_default() -> None:
    verdict = decide(None, NOON, DEFAULT)
    assert (verdict.hold, verdict.reason, verdict.wet) == (False, RainReason.UNKNOWN, None)


def test_unknown_holds_when_asked_to() -> None:
    verdict = decide(None, NOON, RainRule(run_when_unknown=False))
    assert (verdict.hold, verdict.reason, verdict.pause_until) == (True, RainReason.UNKNOWN, None)


def test_unknown_holds_until_the_hole_is_past() -> None:
    strict = RainRule(run_when_unknown=False)
    assert decide(forecast({1: (0.0, None)}), NOON, strict).pause_until == NOON + 2 * HOUR
    assert decide(forecast({1: (None, 0.0)}), NOON, strict).pause_until == NOON + 4 * HOUR


@pytest.mark.parametrize("missing", [(None, 0.0), (0.0, None)])
def test_a_missing_value_is_unknown_never_dry(missing: tuple[float | None, float | None]) -> None:
    assert decide(forecast({2: missing}), NOON, DEFAULT).reason is RainReason.UNKNOWN


def test_a_missing_probability_of_the_past_is_not_needed() -> None:
    assert decide(forecast({-1: (0.0, None)}), NOON, DEFAULT).reason is RainReason.DRY


def test_a_wet_hour_holds_whatever_is_missing_beside_it() -> None:
    assert decide(forecast({1: (None, None), 2: (0.6, None)}), NOON, DEFAULT).reason is RainReason.RAIN_EXPECTED


def test_a_forecast_that_ends_too_early_is_unknown() -> None:
    assert decide(forecast({}, last=3), NOON, DEFAULT).reason is RainReason.UNKNOWN
    assert decide(forecast({}, last=4), NOON, DEFAULT).reason is RainReason.DRY
    assert decide(forecast({}, first=-2), NOON, DEFAULT).reason is RainReason.DRY
    assert decide(forecast({}, first=-1), NOON, DEFAULT).reason is RainReason.UNKNOWN


def test_the_rule_can_be_off_and_still_tells_that_it_is_wet() -> None:
    verdict = decide(forecast({0: (2.0, 90.0)}), NOON, RainRule(enabled=False))
    assert (verdict.hold, verdict.reason, verdict.wet) == (False, RainReason.RULE_OFF, True)
    assert verdict.pause_until is None


def test_a_schedule_s_own_field_wins_then_the_site_s_then_the_default() -> None:
    rule = rule_of(
        RainSettings(probability_percent=30.0, run_when_unknown=False),
        SiteRain(probability_percent=90.0, cooldown_hours=0, enabled=False),
    )
    assert rule == RainRule(enabled=False, probability_percent=30.0, cooldown_hours=0, run_when_unknown=False)


type Row = tuple[int, bool, float | None, float | None]


def laid_out(rows: list[Row]) -> Forecast:
    """Return the rows one after the other, some left out, from four hours before noon."""
    hours = []
    begin = NOON - 4 * HOUR
    for length, there, amount, percent in rows:
        end = begin + length * HOUR
        if there:
            hours.append(ForecastHour(begin, end, amount, percent))
        begin = end
    return Forecast("test", NOON, tuple(hours))


def mostly[T](usual: T, *others: T) -> st.SearchStrategy[T]:
    return st.sampled_from([usual] * 5 + list(others))


row = st.tuples(mostly(1, 2, 3), mostly(True, False), mostly(0.0, None, 0.4, 0.5), mostly(0.0, None, 59.0, 60.0))  # noqa: FBT003  # a row's column
forecasts = st.lists(row, max_size=14).map(laid_out)
rules = st.builds(
    RainRule,
    lookahead_hours=st.integers(0, 4),
    cooldown_hours=st.integers(0, 4),
    run_when_unknown=st.booleans(),
)
STEP = timedelta(minutes=20)
"""Hours begin and end at whole hours: nothing of the rule can lie between two steps."""
STEPS_OF_AN_HOUR = 3
moments = st.integers(-3, 15).map(lambda number: NOON + number * STEP)


def read_step_by_step(given: Forecast, at: datetime, rule: RainRule) -> tuple[bool | None, bool]:
    """Return whether it is wet (None: unknown) and whether a run is held, as the design's sentences say."""
    at_step = {
        hour.starts_at + number * STEP: hour
        for hour in given.hours
        for number in range((hour.ends_at - hour.starts_at) // STEP)
    }
    ahead = [at_step.get(at + number * STEP) for number in range(rule.lookahead_hours * STEPS_OF_AN_HOUR + 1)]
    behind = [at_step.get(at - number * STEP) for number in range(rule.cooldown_hours * STEPS_OF_AN_HOUR + 1)]
    fell = any(hour and (hour.precipitation_mm or 0) >= rule.precipitation_mm for hour in behind + ahead)
    probable = any(hour and (hour.probability_percent or 0) >= rule.probability_percent for hour in ahead)
    if fell or probable:
        return True, True
    known = all(hour and None not in {hour.precipitation_mm, hour.probability_percent} for hour in ahead)
    if known and all(hour and hour.precipitation_mm is not None for hour in behind):
        return False, False
    return None, not rule.run_when_unknown


@settings(max_examples=500, deadline=None)
@given(forecasts, moments, rules)
def test_equals_the_design_s_sentences(given_forecast: Forecast, at: datetime, rule: RainRule) -> None:
    verdict = decide(given_forecast, at, rule)
    assert (verdict.wet, verdict.hold) == read_step_by_step(given_forecast, at, rule)


@settings(max_examples=500, deadline=None)
@given(forecasts, moments, rules)
def test_pause_until_is_the_first_moment_that_lets_go_within_the_forecast(
    given_forecast: Forecast, at: datetime, rule: RainRule
) -> None:
    pause_until = decide(given_forecast, at, rule).pause_until
    ends_at = max((hour.ends_at for hour in given_forecast.hours), default=at)
    letting_go = (
        moment
        for number in range(48 * STEPS_OF_AN_HOUR)
        if (moment := at + number * STEP) + rule.lookahead < ends_at
        and not read_step_by_step(given_forecast, moment, rule)[1]
    )
    held = read_step_by_step(given_forecast, at, rule)[1]
    assert pause_until == (next(letting_go, None) if held else None)


@given(forecasts, moments, rules)
def test_wet_until_is_the_end_of_a_wet_hour(given_forecast: Forecast, at: datetime, rule: RainRule) -> None:
    verdict = decide(given_forecast, at, rule)
    assert (verdict.wet_until is not None) is bool(verdict.wet)
    if verdict.wet_until is not None:
        assert verdict.wet_until in {hour.ends_at for hour in given_forecast.hours}


def disordered(rows: list[Row], again: list[tuple[int, float | None, float | None]], turned: int) -> Forecast:
    """Return the rows with hours that are told again, alike or otherwise, and in another order."""
    told = laid_out(rows)
    more = tuple(
        ForecastHour(NOON + number * HOUR, NOON + (number + 1) * HOUR, amount, percent)
        for number, amount, percent in again
    )
    hours = (*told.hours, *more)
    cut = turned % len(hours) if hours else 0
    return Forecast("test", NOON, (*hours[cut:], *hours[:cut])[::-1])


told_again = st.tuples(st.integers(-5, 9), mostly(0.0, None, 0.5), mostly(0.0, None, 60.0))
disorder = st.builds(disordered, st.lists(row, max_size=14), st.lists(told_again, max_size=4), st.integers(0, 20))


def read_every_word(given: Forecast, at: datetime, rule: RainRule) -> tuple[bool | None, bool]:
    """Read like `read_step_by_step`, where an instant may be told of more than once.

    One wet word makes an instant wet; all words of it must be known for it to be known dry.
    """
    at_step: dict[datetime, list[ForecastHour]] = {}
    for hour in given.hours:
        for number in range((hour.ends_at - hour.starts_at) // STEP):
            at_step.setdefault(hour.starts_at + number * STEP, []).append(hour)
    ahead = [at_step.get(at + number * STEP, []) for number in range(rule.lookahead_hours * STEPS_OF_AN_HOUR + 1)]
    behind = [at_step.get(at - number * STEP, []) for number in range(rule.cooldown_hours * STEPS_OF_AN_HOUR + 1)]
    words_ahead = [hour for hours in ahead for hour in hours]
    words = words_ahead + [hour for hours in behind for hour in hours]
    if any((hour.precipitation_mm or 0) >= rule.precipitation_mm for hour in words) or any(
        (hour.probability_percent or 0) >= rule.probability_percent for hour in words_ahead
    ):
        return True, True
    told = all(ahead) and all(behind)
    amounts = all(hour.precipitation_mm is not None for hour in words)
    percents = all(hour.probability_percent is not None for hour in words_ahead)
    return (False, False) if told and amounts and percents else (None, not rule.run_when_unknown)


@settings(max_examples=1000, deadline=None)
@given(disorder, moments, rules)
def test_equals_the_design_s_sentences_in_any_order_and_told_twice(
    given_forecast: Forecast, at: datetime, rule: RainRule
) -> None:
    verdict = decide(given_forecast, at, rule)
    assert (verdict.wet, verdict.hold) == read_every_word(given_forecast, at, rule)


@settings(max_examples=500, deadline=None)
@given(disorder, moments, rules)
def test_pause_until_is_the_first_moment_that_lets_go_in_any_order(
    given_forecast: Forecast, at: datetime, rule: RainRule
) -> None:
    ends_at = max((hour.ends_at for hour in given_forecast.hours), default=at)
    letting_go = (
        moment
        for number in range(48 * STEPS_OF_AN_HOUR)
        if (moment := at + number * STEP) + rule.lookahead < ends_at
        and not read_every_word(given_forecast, moment, rule)[1]
    )
    held = read_every_word(given_forecast, at, rule)[1]
    assert decide(given_forecast, at, rule).pause_until == (next(letting_go, None) if held else None)


def test_a_rain_sensor_s_word_reaches_every_threshold() -> None:
    felt = ForecastHour(NOON - HOUR, NOON - HOUR / 2, None, None, raining=True)
    dry = forecast({})
    verdict = decide(Forecast("test", NOON, (*dry.hours, felt)), NOON, RainRule(precipitation_mm=100.0))
    assert (verdict.hold, verdict.reason) == (True, RainReason.RAIN_RECENT)
    assert verdict.pause_until == NOON - HOUR / 2 + 2 * HOUR
