"""The recurrence rules against an oracle that looks at the clock on the wall, for many zones and moments."""

from datetime import UTC, date, datetime, time, timedelta
from itertools import islice, pairwise
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from edge_gateway.scheduler.recurrence import EveryNDays, Once, Recurrence, Weekly, dated_occurrences

ZONES = (
    "Europe/Berlin",
    "Europe/Dublin",
    "America/New_York",
    "America/Nuuk",
    "America/Scoresbysund",
    "America/St_Johns",
    "America/Santiago",
    "Africa/Cairo",
    "Africa/Casablanca",
    "Asia/Beirut",
    "Asia/Kathmandu",
    "Asia/Gaza",
    "Antarctica/Troll",
    "Australia/Lord_Howe",
    "Pacific/Apia",
    "Pacific/Chatham",
    "Pacific/Kiritimati",
    "Pacific/Kwajalein",
    "Etc/GMT+12",
    "UTC",
)
STEP = timedelta(minutes=15)

zones = st.sampled_from(ZONES).map(ZoneInfo)
zones_without_missing_dates = st.sampled_from(sorted({*ZONES} - {"Pacific/Apia", "Pacific/Kwajalein"})).map(ZoneInfo)
"""Where a date was left out, a bound between two dates of one instant changes which of them stands for it."""
wall_times = st.times(max_value=time(23, 59)).map(lambda at: at.replace(second=0, microsecond=0))
dates = st.dates(date(1990, 1, 1), date(2037, 12, 1))
moments = st.datetimes(datetime(1990, 1, 1), datetime(2037, 12, 1), timezones=st.just(UTC))  # noqa: DTZ001  # bounds
recurrences = st.one_of(
    st.builds(Weekly, st.frozensets(st.integers(0, 6), min_size=1), wall_times),
    st.builds(EveryNDays, st.integers(1, 40), dates, wall_times),
    st.builds(Once, dates, wall_times),
)


def shown(zone: ZoneInfo, instant: datetime) -> datetime:
    """Return what the clock on the wall shows."""
    return instant.astimezone(zone).replace(tzinfo=None)


def by_looking_at_the_wall(zone: ZoneInfo, day: date, at: time) -> datetime:
    """Return the first instant at which the wall shows this, else the one by the offset before it was leapt over."""
    wanted = datetime.combine(day, at)
    around = [wanted.replace(tzinfo=UTC) + number * STEP for number in range(-27 * 4, 27 * 4)]
    offsets = {shown(zone, instant) - instant.replace(tzinfo=None) for instant in around}
    showing = sorted(
        instant for offset in offsets if shown(zone, instant := (wanted - offset).replace(tzinfo=UTC)) == wanted
    )
    if showing:
        return showing[0]
    before = next(one for one, other in pairwise(around) if shown(zone, one) < wanted < shown(zone, other))
    offset = shown(zone, before) - before.replace(tzinfo=None)
    return (wanted - offset).replace(tzinfo=UTC)


def named_by(recurrence: Recurrence, day: date) -> bool:
    match recurrence:
        case Weekly(days=days):
            return day.weekday() in days
        case EveryNDays(interval=interval, anchor=anchor):
            return day >= anchor and (day - anchor).days % interval == 0
        case Once(day=only):
            return day == only


@given(recurrences, zones, moments)
def test_equals_the_wall(recurrence: Recurrence, zone: ZoneInfo, after: datetime) -> None:
    found = list(islice(dated_occurrences(recurrence, zone, after), 3))
    walked = (after.date() + timedelta(days=number) for number in range(-3, 130))
    expected: list[tuple[datetime, date]] = []
    for day in walked:
        if not named_by(recurrence, day):
            continue
        instant = by_looking_at_the_wall(zone, day, recurrence.at)
        if instant > after and (not expected or instant > expected[-1][0]):
            expected.append((instant, day))
    horizon = after + timedelta(days=126)
    assert [(o.at, o.day) for o in found if o.at < horizon] == [e for e in expected if e[0] < horizon][:3]


@given(recurrences, zones, moments)
def test_strictly_ascending_aware_and_in_utc(recurrence: Recurrence, zone: ZoneInfo, after: datetime) -> None:
    found = [o.at for o in islice(dated_occurrences(recurrence, zone, after), 20)]
    assert all(instant.tzinfo is UTC for instant in found)
    assert all(one < other for one, other in pairwise([after, *found]))


@given(recurrences, zones, moments, st.timedeltas(timedelta(), timedelta(days=400)))
def test_asking_later_never_changes_what_is_still_ahead(
    recurrence: Recurrence, zone: ZoneInfo, after: datetime, wait: timedelta
) -> None:
    later = after + wait
    ahead = [o for o in islice(dated_occurrences(recurrence, zone, after), 450) if o.at > later]
    assert list(islice(dated_occurrences(recurrence, zone, later), len(ahead))) == ahead


@given(recurrences, zones_without_missing_dates, moments, dates, st.integers(0, 60))
def test_bounds_only_leave_out(
    recurrence: Recurrence, zone: ZoneInfo, after: datetime, starts_on: date, days: int
) -> None:
    ends_on = starts_on + timedelta(days=days)
    bounded = list(dated_occurrences(recurrence, zone, after, starts_on=starts_on, ends_on=ends_on))
    free = dated_occurrences(recurrence, zone, max(after, datetime.combine(starts_on, time(), UTC) - timedelta(days=3)))
    expected = [o for o in islice(free, 80) if starts_on <= o.day <= ends_on]
    assert bounded == expected


@given(recurrences, zones, moments)
def test_the_zone_in_which_the_question_is_put_does_not_matter(
    recurrence: Recurrence, zone: ZoneInfo, after: datetime
) -> None:
    elsewhere = after.astimezone(ZoneInfo("Pacific/Kiritimati"))
    assert next(dated_occurrences(recurrence, zone, elsewhere), None) == next(
        dated_occurrences(recurrence, zone, after), None
    )
