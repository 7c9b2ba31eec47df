"""Open-Meteo's answers as hours: units, gaps, garbage."""

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge_gateway.scheduler.forecast import ForecastHour
from edge_gateway.scheduler.weather.open_meteo_answer import UnreadableAnswerError, read, wrong_units
from tests.emulators.weather.open_meteo import UNITS

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
SECONDS = int(NOON.timestamp())


def answer(units: dict[str, Any] | None = None, **columns: list[Any]) -> bytes:
    """Return an answer with some columns."""
    hourly = {
        "time": [SECONDS, SECONDS + 3600],
        "precipitation": [0.2, 0.0],
        "precipitation_probability": [70, 5],
        "rain": [0.1, 0.0],
    } | columns
    return msgspec.json.encode({"hourly_units": UNITS | (units or {}), "hourly": hourly})


def test_the_value_at_a_time_is_that_of_the_hour_before() -> None:
    assert read(answer()) == (
        ForecastHour(NOON - HOUR, NOON, 0.2, 70.0, 0.1),
        ForecastHour(NOON, NOON + HOUR, 0.0, 5.0, 0.0),
    )


@pytest.mark.parametrize(
    ("variable", "unit", "field"),
    [
        ("precipitation", "inch", "precipitation_mm"),
        ("precipitation", None, "precipitation_mm"),
        ("precipitation_probability", "fraction", "probability_percent"),
        ("rain", "inch", "rain_mm"),
    ],
)
def test_a_value_in_another_unit_is_unknown(variable: str, unit: str | None, field: str) -> None:
    body = answer({variable: unit})
    assert [getattr(hour, field) for hour in read(body)] == [None, None]
    assert wrong_units(body) == {variable: unit}


@pytest.mark.parametrize("value", [None, -0.1, "0", True, [0.0], {}, 5000.0])
def test_what_is_no_sensible_amount_is_unknown(value: object) -> None:
    assert read(answer(precipitation=[value, 0.0]))[0].precipitation_mm is None


@pytest.mark.parametrize("value", [None, -1, 101, "60"])
def test_what_is_no_percentage_is_unknown(value: object) -> None:
    assert read(answer(precipitation_probability=[value, 0]))[0].probability_percent is None


def test_a_column_that_is_too_short_or_missing_is_unknown_where_it_ends() -> None:
    hours = read(answer(precipitation=[0.2], precipitation_probability=[]))
    assert [(hour.precipitation_mm, hour.probability_percent) for hour in hours] == [(0.2, None), (None, None)]
    without = msgspec.json.decode(answer())
    del without["hourly"]["precipitation"]
    assert read(msgspec.json.encode(without))[0].precipitation_mm is None


def test_hours_without_a_time_are_left_out() -> None:
    assert len(read(answer(time=[SECONDS, None]))) == 1
    assert len(read(answer(time=["2026-06-01T12:00", SECONDS + 3600]))) == 1
    assert len(read(answer(time=[10**18, SECONDS]))) == 1


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>502</html>",
        b"{}",
        b"[]",
        b"null",
        b'{"error": true, "reason": "x"}',
        b'{"hourly": [], "hourly_units": {}}',
        b'{"hourly": {"time": []}, "hourly_units": {"time": "unixtime"}}',
        b'{"hourly": {"precipitation": [0]}, "hourly_units": {"time": "unixtime"}}',
        answer({"time": "iso8601"}),
        b"\xff\xfe",
        b"[" * 100_000,
    ],
)
def test_garbage_is_no_forecast(body: bytes) -> None:
    with pytest.raises(UnreadableAnswerError):
        read(body)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"{}", "Object missing required field `hourly`"),
        (answer({"time": "iso8601"}), "its times are not in seconds"),
        (answer(time=[]), "it has no hours"),
    ],
)
def test_why_it_is_none_is_said(body: bytes, why: str) -> None:
    with pytest.raises(UnreadableAnswerError) as caught:
        read(body)
    assert str(caught.value) == why


def test_the_greatest_numbers_that_can_be_are_numbers() -> None:
    [hour, _] = read(answer(precipitation=[1000.0, 0], precipitation_probability=[100, 0], rain=[1000, 0]))
    assert (hour.precipitation_mm, hour.probability_percent, hour.rain_mm) == (1000.0, 100.0, 1000.0)
    assert all(type(value) is float for value in (hour.precipitation_mm, hour.probability_percent, hour.rain_mm))
    [hour, _] = read(answer(precipitation=[1000.1, 0], precipitation_probability=[100.1, 0], rain=[1000.1, 0]))
    assert (hour.precipitation_mm, hour.probability_percent, hour.rain_mm) == (None, None, None)


def test_times_are_of_this_century_and_the_last() -> None:
    last = 4_102_444_800 - 1
    assert [hour.ends_at for hour in read(answer(time=[0, last, last + 1, -1]))] == [
        datetime(1970, 1, 1, tzinfo=UTC),
        datetime(2099, 12, 31, 23, 59, 59, tzinfo=UTC),
    ]


def test_a_month_of_hours_is_read_and_no_more() -> None:
    times = [SECONDS + 3600 * number for number in range(24 * 33)]
    assert len(read(answer(time=times))) == 24 * 32


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_any_bytes_are_read_or_refused(body: bytes) -> None:
    with pytest.raises(UnreadableAnswerError):
        read(body)


anything = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()


@given(st.lists(anything, max_size=4), st.lists(anything, max_size=4), st.lists(anything, max_size=4))
def test_any_columns_give_sensible_hours(times: list[Any], amounts: list[Any], percents: list[Any]) -> None:
    body = answer(time=[SECONDS, *times], precipitation=amounts, precipitation_probability=percents)
    for hour in read(body):
        assert hour.ends_at - hour.starts_at == HOUR
        assert hour.precipitation_mm is None or hour.precipitation_mm >= 0
        assert hour.probability_percent is None or 0 <= hour.probability_percent <= 100
