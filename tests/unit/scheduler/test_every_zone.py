"""Every zone of the database, 2020 to 2040, both kinds of plans, against walls that were looked at minute by minute."""

import os
import subprocess
import sys
from datetime import UTC, date, datetime, time
from functools import cache
from itertools import islice
from zoneinfo import ZoneInfo

import pytest

from edge_gateway.scheduler.recurrence import EveryNDays, Recurrence, Weekly, dated_occurrences, next_occurrence
from tests.unit.scheduler.wall_oracle import (
    BEGIN,
    DAY,
    Behaviour,
    Change,
    Walls,
    classes,
    far_from_changes,
    minutes_round,
)

EVERY_DAY = frozenset(range(7))
ANCHOR = date(2019, 12, 28)
SHARES = 8
"""The classes are shared among so many tests, so that several workers can have them."""


def kinds(at: time) -> tuple[Recurrence, ...]:
    return Weekly(EVERY_DAY, at), EveryNDays(1, ANCHOR, at), EveryNDays(3, ANCHOR, at), Weekly(frozenset({0, 6}), at)


def named(recurrence: Recurrence, day: date) -> bool:
    match recurrence:
        case Weekly(days=days):
            return day.weekday() in days
        case EveryNDays(interval=interval, anchor=anchor):
            return (day - anchor).days % interval == 0
    raise AssertionError


@cache
def changes_to_walk() -> tuple[tuple[str, Change], ...]:
    """Return each distinct change once, with a zone that has it."""
    found: dict[Change, str] = {}
    for (_, changes), names in classes().items():
        for change in changes:
            found.setdefault(change, names[0])
    return tuple(sorted((name, change) for change, name in found.items()))


def test_the_database_has_as_many_behaviours_as_it_has() -> None:
    names = [name for members in classes().values() for name in members]
    assert len(names) == len(set(names)) > 400
    assert 60 <= len(classes()) <= 120
    berlin = next(members for members in classes().values() if "Europe/Berlin" in members)
    assert "Europe/Paris" in berlin
    assert "Europe/London" not in berlin


@pytest.mark.parametrize("share", range(SHARES))
def test_round_each_distinct_change(share: int) -> None:
    for name, change in changes_to_walk()[share::SHARES]:
        zone, walls = ZoneInfo(name), Walls(ZoneInfo(name), change)
        middle = (change.at + change.before).date()
        days = [middle + number * DAY for number in range(-1, 2)]
        after = change.at - 2 * DAY
        for minute in minutes_round(change):
            at = time(minute // 60, minute % 60)
            expected: list[tuple[datetime, date]] = []
            for day in days:
                instant = walls.instant_of(datetime.combine(day, at))
                if not expected or instant > expected[-1][0]:
                    expected.append((instant, day))
            for recurrence in kinds(at):
                found = dated_occurrences(recurrence, zone, after, starts_on=days[0], ends_on=days[-1])
                # A date that the rule does not name may be the first of two that fall on one instant.
                wanted = expected if len(expected) == len(days) else None
                got = [(occurrence.at, occurrence.day) for occurrence in found]
                if wanted is None and recurrence != Weekly(EVERY_DAY, at):
                    assert all(walls.instant_of(datetime.combine(day, at)) == instant for instant, day in got)
                else:
                    assert got == [one for one in expected if named(recurrence, one[1])], (name, at, recurrence)


@pytest.mark.parametrize("share", range(SHARES))
def test_on_all_other_days_the_wall_is_a_plain_offset(share: int) -> None:
    for (first, changes), names in list(classes().items())[share::SHARES]:
        zone = ZoneInfo(names[0])
        offsets = [first, *(change.after for change in changes)]
        calm = {day: offsets[place] for day, place in far_from_changes(changes, date(2020, 1, 3), date(2040, 12, 29))}
        assert len(calm) > 6000
        at = time(2, 30)
        for recurrence in kinds(at)[:3:2]:
            expected = [
                datetime.combine(day, at, UTC) - offset for day, offset in calm.items() if named(recurrence, day)
            ]
            found = dated_occurrences(recurrence, zone, BEGIN, ends_on=date(2040, 12, 29))
            assert [one.at for one in found if one.day in calm] == expected, names[0]


@pytest.mark.parametrize("share", range(SHARES))
def test_every_zone_is_due_when_its_class_is(share: int) -> None:
    for behaviour, names in list(classes().items())[share::SHARES]:
        expected = fingerprint(names[0], behaviour)
        for name in names[1:]:
            assert fingerprint(name, behaviour) == expected, name


def fingerprint(name: str, behaviour: Behaviour) -> list[datetime | None]:
    """Return what a zone's plans are due at round each change, and now and then between."""
    zone = ZoneInfo(name)
    found: list[datetime | None] = []
    moments = [change.at - DAY for change in behaviour[1]] + [BEGIN + number * 100 * DAY for number in range(75)]
    for place, moment in enumerate(moments):
        at = time(place % 24, 30 * (place % 2))
        found.extend(islice((one.at for one in dated_occurrences(Weekly(EVERY_DAY, at), zone, moment)), 3))
        found.append(next_occurrence(EveryNDays(2, ANCHOR, at), zone, moment))
    return found


def test_casablanca_in_ramadan() -> None:
    # The clock goes back for Ramadan on 15 February 2026 at 03:00 and forward again on 22 March at 02:00.
    zone, plan = ZoneInfo("Africa/Casablanca"), Weekly(EVERY_DAY, time(2, 30))
    before = next_occurrence(plan, zone, datetime(2026, 2, 14, 12, tzinfo=UTC))
    assert before == datetime(2026, 2, 15, 1, 30, tzinfo=UTC)
    assert next_occurrence(plan, zone, datetime(2026, 2, 15, 12, tzinfo=UTC)) == datetime(
        2026, 2, 16, 2, 30, tzinfo=UTC
    )
    gap = next_occurrence(plan, zone, datetime(2026, 3, 21, 12, tzinfo=UTC))
    assert gap == datetime(2026, 3, 22, 2, 30, tzinfo=UTC)
    assert gap.astimezone(zone).time() == time(3, 30)


def test_sao_paulo_leapt_over_midnight_until_2018() -> None:
    zone, plan = ZoneInfo("America/Sao_Paulo"), Weekly(EVERY_DAY, time(0, 0))
    # At midnight of 4 November 2018 the clock went to 01:00.
    leap = next_occurrence(plan, zone, datetime(2018, 11, 3, 12, tzinfo=UTC))
    assert leap == datetime(2018, 11, 4, 3, tzinfo=UTC)
    assert leap.astimezone(zone).time() == time(1, 0)
    # At midnight of 18 February 2018 it went back to 23:00: 23:30 came twice, and the first one counts.
    twice = next_occurrence(Weekly(EVERY_DAY, time(23, 30)), zone, datetime(2018, 2, 17, 12, tzinfo=UTC))
    assert twice == datetime(2018, 2, 18, 1, 30, tzinfo=UTC)
    assert next_occurrence(plan, zone, datetime(2026, 11, 3, 12, tzinfo=UTC)) == datetime(2026, 11, 4, 3, tzinfo=UTC)


_PROGRAM = """
import hashlib
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from zoneinfo import ZoneInfo
from edge_gateway.contracts.quiet_hours import QuietHours, QuietTime
from edge_gateway.scheduler.forecast import Forecast, ForecastHour
from edge_gateway.scheduler.quiet_hours import Quiet
from edge_gateway.scheduler.rain import RainRule, decide
from edge_gateway.scheduler.recurrence import EveryNDays, Weekly, occurrences

found = []
after = datetime(2026, 1, 1, tzinfo=UTC)
for name in ("Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "America/Nuuk"):
    zone = ZoneInfo(name)
    for plan in (Weekly(frozenset(range(7)), time(2, 30)), EveryNDays(3, date(2025, 1, 1), time(23, 59))):
        found += [str(instant) for instant in islice(occurrences(plan, zone, after), 400)]
    hours = QuietHours(begin=QuietTime(at="21:00", sun="sunset"), end=QuietTime(at="07:00", sun="sunrise"))
    quiet = Quiet(hours=hours, zone=zone, location=(52.5, 13.4))
    found += [str(quiet.current_or_next(after + timedelta(days=day))) for day in range(0, 366, 7)]
hours = tuple(
    ForecastHour(after + timedelta(hours=hour), after + timedelta(hours=hour + 1), hour % 5 / 4, 20.0 * (hour % 4))
    for hour in range(48)
)
for hour in range(48):
    found.append(str(decide(Forecast("test", after, hours), after + timedelta(hours=hour), RainRule())))
print(hashlib.sha256("".join(found).encode()).hexdigest())
"""


def test_the_process_s_own_zone_does_not_matter() -> None:
    results = {
        zone: subprocess.run(  # noqa: S603  # our own program
            [sys.executable, "-c", _PROGRAM],
            env={**os.environ, "TZ": zone},
            check=True,
            capture_output=True,
            text=True,
            timeout=30,
        ).stdout
        for zone in ("UTC", "America/New_York", "Asia/Kolkata")
    }
    assert len(set(results.values())) == 1
    assert all(len(result.strip()) == 64 for result in results.values())
