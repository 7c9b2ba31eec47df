"""What the clock on the wall shows, found by looking at it: an oracle that shares no code with the rules.

All that a zone does from 2020 to 2040 are its changes of the offset. Zones that change alike are one class.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from functools import cache
from typing import NamedTuple
from zoneinfo import ZoneInfo, available_timezones

BEGIN = datetime(2020, 1, 1, tzinfo=UTC)
END = datetime(2041, 1, 1, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


class Change(NamedTuple):
    """At this instant (UTC) the offset, what the wall shows more than UTC, changes."""

    at: datetime
    before: timedelta
    after: timedelta


type Behaviour = tuple[timedelta, tuple[Change, ...]]
"""The offset at the beginning, and the changes."""


def offset_of(zone: ZoneInfo, instant: datetime) -> timedelta:
    """Return the offset at an instant."""
    offset = instant.astimezone(zone).utcoffset()
    assert offset is not None
    return offset


def behaviour_of(zone: ZoneInfo) -> Behaviour:
    """Return all that a zone does: looked at every day, each change then found to the minute."""
    changes = []
    moment, offset = BEGIN, offset_of(zone, BEGIN)
    first = offset
    while moment < END:
        later = moment + DAY
        new = offset_of(zone, later)
        if new != offset:
            turn = _turn(zone, moment, later, offset)
            assert offset_of(zone, turn) == new, "two changes on one day"
            changes.append(Change(turn, offset, new))
        moment, offset = later, new
    return first, tuple(changes)


def _turn(zone: ZoneInfo, before: datetime, after: datetime, offset: timedelta) -> datetime:
    """Return the first minute at which the offset is another one."""
    while after - before > MINUTE:
        middle = before + (after - before) // (2 * MINUTE) * MINUTE
        if offset_of(zone, middle) == offset:
            before = middle
        else:
            after = middle
    return after


@cache
def classes() -> dict[Behaviour, list[str]]:
    """Return the zones of the database by what they do; `Factory` and the machine's own are no zones."""
    found: dict[Behaviour, list[str]] = {}
    for name in sorted(available_timezones() - {"Factory", "localtime"}):
        found.setdefault(behaviour_of(ZoneInfo(name)), []).append(name)
    return found


class Walls:
    """The wall's minutes two days round a change (and some hours, for the wall runs ahead), walked one by one."""

    def __init__(self, zone: ZoneInfo, change: Change) -> None:
        """Walk them; of a minute that the wall shows twice the first one counts."""
        self._change = change
        self._shown: dict[datetime, datetime] = {}
        instant = change.at - 2 * DAY
        while instant < change.at + 2 * DAY + 4 * HOUR:
            self._shown.setdefault(instant.astimezone(zone).replace(tzinfo=None), instant)
            instant += MINUTE

    def instant_of(self, wall: datetime) -> datetime:
        """Return when the wall shows a time; one that it leaps over is told by the offset before the change."""
        shown = self._shown.get(wall)
        return shown if shown is not None else wall.replace(tzinfo=UTC) - self._change.before


def minutes_round(change: Change) -> Iterator[int]:
    """Yield minutes of the day at which a change can matter, and some others."""
    edges = {(change.at + offset).replace(tzinfo=None) for offset in (change.before, change.after)}
    minutes = {0, 1, 9 * 60, 12 * 60, 23 * 60 + 59}
    for edge in edges:
        minute = edge.hour * 60 + edge.minute
        minutes |= {(minute + away) % (24 * 60) for away in (-61, -60, -31, -30, -1, 0, 1, 29, 30, 31, 59, 60, 61)}
    return iter(sorted(minutes))


def far_from_changes(changes: tuple[Change, ...], first: date, last: date) -> Iterator[tuple[date, int]]:
    """Yield the dates that no change is near, with the offset (by place in `changes`) that they have."""
    near = {(change.at + days * DAY).date() for change in changes for days in range(-2, 3)}
    place = 0
    day = first
    while day <= last:
        while place < len(changes) and changes[place].at.date() < day:
            place += 1
        if day not in near:
            yield day, place
        day += DAY
