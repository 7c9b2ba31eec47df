"""The days of a site: from one local midnight to the next, 23, 24 or 25 hours. Pure."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

import msgspec


class SiteDay(msgspec.Struct, frozen=True, gc=False):
    """One day where the mower stands."""

    date: date
    begins_at: datetime
    """The first instant, in UTC."""
    ends_at: datetime
    """The first instant of the next day, in UTC."""

    def holds(self, moment: datetime) -> bool:
        """Tell whether a moment lies in it."""
        return self.begins_at <= moment < self.ends_at


def site_day(moment: datetime, zone: ZoneInfo) -> SiteDay:
    """Return the day in which a moment lies.

    A midnight that the clocks skip is the moment at which they do; one that comes twice is the first.
    """
    day = moment.astimezone(zone).date()
    return SiteDay(day, _midnight(day, zone), _midnight(day + timedelta(days=1), zone))


def split(begins_at: datetime, ends_at: datetime, zone: ZoneInfo) -> Iterator[tuple[SiteDay, timedelta]]:
    """Return the days that a stretch of time touches, each with the part of it that lies in the day."""
    while begins_at < ends_at:
        day = site_day(begins_at, zone)
        until = min(day.ends_at, ends_at)
        yield day, until - begins_at
        begins_at = until


@lru_cache(maxsize=1000)
def _midnight(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(), zone).astimezone(UTC)
