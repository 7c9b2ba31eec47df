"""Days begin at the site's midnights, whatever the clocks do there."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge_gateway.telemetry.site_day import site_day, split

_HOUR = timedelta(hours=1)
_ZONES = ("Europe/Berlin", "America/Havana", "America/Santiago", "Asia/Beirut", "Australia/Lord_Howe", "UTC")


@pytest.mark.parametrize(
    ("zone", "day", "hours"),
    [
        ("Europe/Berlin", date(2024, 3, 31), 23),
        ("Europe/Berlin", date(2024, 10, 27), 25),
        ("Europe/Berlin", date(2024, 5, 4), 24),
        ("Asia/Beirut", date(2024, 3, 31), 23),  # the clocks skip midnight itself
        ("America/Havana", date(2024, 11, 3), 25),  # midnight comes twice
        ("Australia/Lord_Howe", date(2024, 4, 7), 24.5),
    ],
)
def test_a_day_is_as_long_as_its_clocks_make_it(zone: str, day: date, hours: float) -> None:
    noon = datetime(day.year, day.month, day.day, 12, tzinfo=ZoneInfo(zone))
    found = site_day(noon, ZoneInfo(zone))
    assert found.date == day
    assert found.ends_at - found.begins_at == hours * _HOUR
    assert (found.holds(found.begins_at), found.holds(found.ends_at)) == (True, False)


def test_a_day_that_a_country_left_out_is_nobodys() -> None:
    zone = ZoneInfo("Pacific/Apia")
    before = site_day(datetime(2011, 12, 30, 9, 59, tzinfo=UTC), zone)
    after = site_day(datetime(2011, 12, 30, 10, 0, tzinfo=UTC), zone)
    assert (before.date, after.date) == (date(2011, 12, 29), date(2011, 12, 31))
    assert before.ends_at == after.begins_at


@given(
    moment=st.datetimes(datetime(2020, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001  # hypothesis adds the zone
    zone=st.sampled_from(_ZONES),
)
def test_a_moment_lies_in_its_day(moment: datetime, zone: str) -> None:
    assert site_day(moment, ZoneInfo(zone)).holds(moment)


@given(
    begins_at=st.datetimes(datetime(2020, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001  # hypothesis adds the zone
    length=st.timedeltas(timedelta(microseconds=1), timedelta(days=4)),
    zone=st.sampled_from(_ZONES),
)
def test_the_parts_of_a_stretch_are_the_stretch(begins_at: datetime, length: timedelta, zone: str) -> None:
    parts = list(split(begins_at, begins_at + length, ZoneInfo(zone)))
    assert sum((part for _, part in parts), timedelta()) == length
    days = [day.date for day, _ in parts]
    assert days == sorted(set(days))
