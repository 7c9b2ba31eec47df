"""Hours without work as a person writes them, and as the mower counts them."""

from datetime import time

import pytest

from edge_gateway.contracts.errors import InvalidError
from edge_gateway.device_gateway.mammotion.hours_without_work import parse, read, wire


@pytest.mark.parametrize(
    ("written", "hours"),
    [
        ("off", None),
        ("22:00-06:00", (time(22), time(6))),
        ("00:00-23:59", (time(0), time(23, 59))),
        ("09:05-19:30", (time(9, 5), time(19, 30))),
    ],
)
def test_a_person_writes_from_and_to_or_off(written: str, hours: tuple[time, time] | None) -> None:
    assert parse(written) == hours


@pytest.mark.parametrize(
    "written",
    ["", "on", "22:00", "22:00-22:00", "24:00-06:00", "22:60-06:00", "22:00-06:00 ", "2:00-06:00", None, 5, True],
)
def test_what_is_neither_is_refused_by_name(written: object) -> None:
    with pytest.raises(InvalidError) as caught:
        parse(written)
    assert (caught.value.code, caught.value.field) == ("invalid_value", "setting_value")
    assert caught.value.detail == "Hours without work are off, or from and to like 22:00-06:00."


def test_the_mower_counts_minutes_from_midnight() -> None:
    assert wire((time(22), time(6, 5))) == ("1320", "365")


@pytest.mark.parametrize(
    ("begin", "end", "written"),
    [
        ("1320", "365", "22:00-06:05"),
        ("0", "1439", "00:00-23:59"),
        ("22:00", "06:05", "22:00-06:05"),
        ("1440", "365", None),
        ("1320", "1440", None),
        ("1320", "", None),
        ("-5", "365", None),
        ("²", "365", None),  # a digit, and no number of a mower
    ],
)
def test_what_the_mower_told_is_read_or_unknown(begin: str, end: str, written: str | None) -> None:
    assert read(begin, end) == written
