"""One condition that may flicker: it begins and ends only after it was seen so for a while. Pure.

A condition turns at the moment from which on the opposite was seen, never at the moment at which that was noticed: so
the turns of a sequence of sightings are the same however often, and when, it is settled in between.
"""

from datetime import datetime, timedelta
from typing import Any

import msgspec


class Holds(msgspec.Struct, frozen=True, kw_only=True):
    """How long the opposite must be seen."""

    begin: timedelta = timedelta()
    end: timedelta = timedelta()


class Condition(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is known of one condition."""

    is_open: bool = False
    began_at: datetime | None = None
    """Of an open one."""
    turning_since: datetime | None = None
    """Since when the opposite is seen; null while it is not."""
    values: dict[str, Any] = {}
    """As they were at the first sight of what is open, or is about to be."""

    @property
    def is_idle(self) -> bool:
        """Tell whether there is nothing to remember."""
        return not self.is_open and self.turning_since is None


class Sight(msgspec.Struct, frozen=True, kw_only=True):
    """What one report says about one condition."""

    seen: bool | None
    """Null is unknown: it never counts towards an end, and takes back none of a beginning."""
    values: dict[str, Any] = {}


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """A condition began, or ended."""

    began: bool
    at: datetime
    began_at: datetime
    values: dict[str, Any]


type Seen = tuple[Condition, tuple[Turn, ...]]


def due_at(condition: Condition, holds: Holds) -> datetime | None:
    """Return when the condition turns if nothing else is seen; null when it does not."""
    if condition.turning_since is None:
        return None
    return condition.turning_since + (holds.end if condition.is_open else holds.begin)


def settle(condition: Condition, until: datetime, holds: Holds) -> Seen:
    """Turn a condition whose time has come by `until`."""
    due = due_at(condition, holds)
    since = condition.turning_since
    if due is None or since is None or due > until:
        return condition, ()
    if condition.is_open:
        began_at = condition.began_at or since
        return Condition(), (Turn(began=False, at=since, began_at=began_at, values=condition.values),)
    begun = Condition(is_open=True, began_at=since, values=condition.values)
    return begun, (Turn(began=True, at=since, began_at=since, values=condition.values),)


def see(condition: Condition, sight: Sight, at: datetime, holds: Holds) -> Seen:
    """Take one sighting."""
    condition, turns = settle(condition, at, holds)
    if sight.seen is None:
        if condition.is_open:
            condition = msgspec.structs.replace(condition, turning_since=None)
        return condition, turns
    if sight.seen == condition.is_open:
        condition = msgspec.structs.replace(condition, turning_since=None)
    elif condition.turning_since is None:
        values = sight.values if sight.seen else condition.values
        condition = msgspec.structs.replace(condition, turning_since=at, values=values)
    condition, more = settle(condition, at, holds)
    return condition, turns + more
