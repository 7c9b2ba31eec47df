"""The quiet hours of a site: from when to when its mowers stay at home. Pure.

They begin on each local date and last until the next end after that, over midnight where the end lies earlier on the
clock: [begin, end). Wall times are converted as a plan's are: a time in the spring gap takes the offset before the
change, an ambiguous one is its first. A time of the sun falls back to its fixed one where the sun does not rise or set
that day, or no place is known.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo

from astral import Observer
from astral.sun import sunrise, sunset

from edge_gateway.contracts.quiet_hours import QuietHours, QuietTime
from edge_gateway.scheduler.recurrence import instant_of

_ONE_DAY = timedelta(days=1)
_EVENTS = {"sunset": sunset, "sunrise": sunrise}

type Location = tuple[float, float]
"""Latitude and longitude in degrees."""


@dataclass(frozen=True, slots=True)
class Interval:
    """[begin, end) in UTC."""

    begin: datetime
    end: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Quiet:
    """A site's quiet hours with all that they depend on."""

    hours: QuietHours
    zone: ZoneInfo
    location: Location | None
    lead: timedelta = timedelta()
    """How long before the beginning a mower is sent home; from then on nothing starts any more."""

    def current_or_next(self, moment: datetime) -> Interval:
        """Return the interval that is under way, else the next one."""
        today = moment.astimezone(self.zone).date()
        begun = (self._interval(today + number * _ONE_DAY) for number in range(-2, 3))
        return min((interval for interval in begun if interval.end > moment), key=lambda interval: interval.begin)

    def called_home_at(self, moment: datetime) -> Interval | None:
        """Return the interval for which a mower has to be on its way home, or at home, at this moment."""
        interval = self.current_or_next(moment)
        return interval if moment >= interval.begin - self.lead else None

    def _interval(self, day: date) -> Interval:
        """Return the interval of a local date: with its offset, a time of the sun may lie on a neighbouring one."""
        begin = self._instant(self.hours.begin, day)
        ends = (self._instant(self.hours.end, day + number * _ONE_DAY) for number in range(-1, 3))
        return Interval(begin, min(end for end in ends if end > begin))

    def _instant(self, given: QuietTime, day: date) -> datetime:
        if given.sun is not None and self.location is not None:
            found = _of_the_sun(given.sun, *self.location, day, self.zone)
            if found is not None:
                return found + timedelta(minutes=given.offset_minutes)
        return instant_of(day, time.fromisoformat(given.at), self.zone)


def numbers_of(interval: Interval) -> dict[str, Any]:
    """Return what a record says of quiet hours that kept a mower at home."""
    return {"quiet_from": interval.begin, "quiet_until": interval.end}


@lru_cache(maxsize=1024)
def _of_the_sun(event: str, latitude: float, longitude: float, day: date, zone: ZoneInfo) -> datetime | None:
    """Return when the sun rises or sets on a local date, in UTC; None where it does not."""
    try:
        found = _EVENTS[event](Observer(latitude, longitude), date=day, tzinfo=zone)
    except ValueError:
        return None
    return found.astimezone(UTC).replace(microsecond=0)
