"""Quiet hours: from a local date's beginning to the next end, across midnight and changes of the clock."""

import time
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge_gateway.contracts.quiet_hours import QuietHours, QuietTime
from edge_gateway.scheduler.quiet_hours import Interval, Quiet, numbers_of

BERLIN = ZoneInfo("Europe/Berlin")
MINUTE = timedelta(minutes=1)
SECOND = timedelta(seconds=1)


def quiet(
    begin: str | QuietTime = "21:00",
    end: str | QuietTime = "07:00",
    *,
    zone: str = "Europe/Berlin",
    location: tuple[float, float] | None = None,
    lead_minutes: int = 0,
) -> Quiet:
    return Quiet(
        hours=QuietHours(
            begin=QuietTime(at=begin) if isinstance(begin, str) else begin,
            end=QuietTime(at=end) if isinstance(end, str) else end,
        ),
        zone=ZoneInfo(zone),
        location=location,
        lead=timedelta(minutes=lead_minutes),
    )


def berlin(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=BERLIN).astimezone(UTC)


@pytest.mark.parametrize(
    ("moment", "is_quiet"),
    [
        ("2026-05-04T20:59:59", False),
        ("2026-05-04T21:00", True),
        ("2026-05-05T00:00", True),
        ("2026-05-05T06:59:59", True),
        ("2026-05-05T07:00", False),
    ],
)
def test_the_beginning_belongs_to_them_and_the_end_does_not(moment: str, is_quiet: bool) -> None:  # noqa: FBT001
    found = quiet().called_home_at(berlin(moment))
    assert (found is not None) == is_quiet
    if found is not None:
        assert found == Interval(berlin("2026-05-04T21:00"), berlin("2026-05-05T07:00"))
        assert numbers_of(found) == {"quiet_from": found.begin, "quiet_until": found.end}


def test_within_a_day_they_end_on_the_same_date() -> None:
    noon = quiet("12:00", "15:00")
    assert noon.current_or_next(berlin("2026-05-04T08:00")) == Interval(
        berlin("2026-05-04T12:00"), berlin("2026-05-04T15:00")
    )
    assert noon.current_or_next(berlin("2026-05-04T15:00")) == Interval(
        berlin("2026-05-05T12:00"), berlin("2026-05-05T15:00")
    )


def test_a_mower_is_called_home_the_lead_before_they_begin() -> None:
    early = quiet(lead_minutes=15)
    assert early.called_home_at(berlin("2026-05-04T20:44:59")) is None
    assert early.called_home_at(berlin("2026-05-04T20:45")) == early.current_or_next(berlin("2026-05-04T22:00"))


def test_a_beginning_in_the_spring_gap_takes_the_offset_before_the_change() -> None:
    # 02:30 on 29 March 2026 is 03:30 that morning.
    found = quiet("02:30", "05:00").current_or_next(datetime(2026, 3, 29, 0, 45, tzinfo=UTC))
    assert found == Interval(datetime(2026, 3, 29, 1, 30, tzinfo=UTC), datetime(2026, 3, 29, 3, 0, tzinfo=UTC))


def test_an_ambiguous_end_is_its_first_occurrence() -> None:
    # 02:30 comes twice on 25 October 2026.
    found = quiet("23:00", "02:30").current_or_next(datetime(2026, 10, 24, 22, tzinfo=UTC))
    assert found.end == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)


def test_the_sun_counts_with_its_offset_where_a_place_is_known() -> None:
    sunset = QuietTime(at="20:00", sun="sunset", offset_minutes=-30)
    sunrise = QuietTime(at="06:00", sun="sunrise", offset_minutes=45)
    found = quiet(sunset, sunrise, location=(52.52, 13.40)).current_or_next(berlin("2026-06-21T12:00"))
    # The almanac: sunset 21:33 on 21 June, sunrise 04:43 on the 22nd, in Berlin.
    assert abs(found.begin - berlin("2026-06-21T21:03")) <= 2 * MINUTE
    assert abs(found.end - berlin("2026-06-22T05:28")) <= 2 * MINUTE


# In Trondheim in June the sun sets at 23:37; an hour later it is tomorrow.
TRONDHEIM = (63.43, 10.40)
AFTER_SUNSET = QuietTime(at="22:00", sun="sunset", offset_minutes=60)


def test_an_end_that_the_offset_moves_over_midnight_is_still_that_night_s() -> None:
    found = quiet("00:10", AFTER_SUNSET, location=TRONDHEIM).current_or_next(berlin("2026-06-21T00:15"))
    assert found.begin == berlin("2026-06-21T00:10")
    assert abs(found.end - berlin("2026-06-21T00:37")) <= 3 * MINUTE


def test_a_beginning_that_the_offset_moves_over_midnight_lasts_until_the_next_end_after_it() -> None:
    found = quiet(AFTER_SUNSET, "00:10", location=TRONDHEIM).current_or_next(berlin("2026-06-21T12:00"))
    assert abs(found.begin - berlin("2026-06-21T00:37")) <= 3 * MINUTE
    assert found.end == berlin("2026-06-22T00:10")


def test_hours_that_end_where_they_begin_last_a_day() -> None:
    found = quiet("21:00", "21:00").current_or_next(berlin("2026-05-04T22:00"))
    assert found == Interval(berlin("2026-05-04T21:00"), berlin("2026-05-05T21:00"))


def test_the_process_s_own_zone_does_not_say_which_date_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    # The evening of the 3rd there, and already the 5th in the process's zone.
    far_west = quiet("23:30", "23:00", zone="Etc/GMT+12")
    moment = datetime(2026, 5, 4, 10, 30, tzinfo=UTC)
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv("TZ", "Pacific/Kiritimati")
        time.tzset()
        found = far_west.current_or_next(moment)
    time.tzset()
    assert found == Interval(datetime(2026, 5, 3, 11, 30, tzinfo=UTC), datetime(2026, 5, 4, 11, tzinfo=UTC))


def test_without_a_place_the_fixed_time_counts() -> None:
    sunset = QuietTime(at="20:00", sun="sunset", offset_minutes=-30)
    found = quiet(sunset, "06:00").current_or_next(berlin("2026-06-21T12:00"))
    assert found == Interval(berlin("2026-06-21T20:00"), berlin("2026-06-22T06:00"))


def test_where_the_sun_does_not_set_the_fixed_time_counts() -> None:
    sunset = QuietTime(at="22:00", sun="sunset", offset_minutes=-30)
    found = quiet(sunset, "06:00", zone="Europe/Oslo", location=(69.65, 18.96)).current_or_next(
        datetime(2026, 6, 21, 12, tzinfo=UTC)
    )
    assert found == Interval(datetime(2026, 6, 21, 20, tzinfo=UTC), datetime(2026, 6, 22, 4, tzinfo=UTC))


zones = st.sampled_from(
    ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "Asia/Kolkata", "UTC"]
)
wall_times = st.times().map(lambda at: at.strftime("%H:%M"))
moments = st.datetimes(datetime(2020, 1, 1), datetime(2040, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001  # bounds


@given(wall_times, wall_times, zones, moments)
def test_what_is_current_or_next_is_never_over_and_what_is_between_is_never_quiet(
    begin: str, end: str, zone: str, moment: datetime
) -> None:
    if begin == end:
        end = "12:34" if begin != "12:34" else "12:35"
    hours = quiet(begin, end, zone=zone)
    found = hours.current_or_next(moment)
    assert found.end > moment
    assert found.begin < found.end <= found.begin + timedelta(hours=26)
    assert found.begin <= moment + timedelta(hours=50)
    if hours.called_home_at(moment) is None:
        assert hours.called_home_at(found.begin - SECOND) is None
    assert hours.called_home_at(found.begin) == found
    assert hours.called_home_at(found.end - SECOND) is not None


@given(wall_times, st.dates(date(2020, 1, 1), date(2039, 12, 31)))
def test_in_a_zone_without_changes_it_is_plain_arithmetic(begin: str, day: date) -> None:
    first = datetime.fromisoformat(f"{day}T{begin}").replace(tzinfo=UTC)
    end = (first + timedelta(hours=9)).strftime("%H:%M")
    assert quiet(begin, end, zone="UTC").called_home_at(first + 8 * timedelta(hours=1)) == Interval(
        first, first + timedelta(hours=9)
    )
