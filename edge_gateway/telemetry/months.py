"""The monthly partitions of the log: which exist when, and what they are called. Pure."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime

import msgspec

_TABLE = re.compile(r"log_(\d{4})_(\d{2})")


class Month(msgspec.Struct, frozen=True, order=True):
    """A calendar month in UTC."""

    year: int
    month: int

    @property
    def table(self) -> str:
        """The partition's table name, without the schema."""
        return f"log_{self.year:04d}_{self.month:02d}"

    @property
    def begins_at(self) -> datetime:
        """The first instant of the month."""
        return datetime(self.year, self.month, 1, tzinfo=UTC)

    def next(self) -> Month:
        """Return the month after."""
        return Month(self.year + self.month // 12, self.month % 12 + 1)


def month_of(moment: datetime) -> Month:
    """Return the month in which a moment lies, in UTC."""
    in_utc = moment.astimezone(UTC)
    return Month(in_utc.year, in_utc.month)


def months_needed(now: datetime, *, ahead: int = 2) -> tuple[Month, ...]:
    """Return this month and the ones to be made ahead."""
    months = [month_of(now)]
    for _ in range(ahead):
        months.append(months[-1].next())
    return tuple(months)


def month_of_table(table: str) -> Month | None:
    """Return the month that a partition holds; null for a table that is none."""
    match = _TABLE.fullmatch(table)
    return None if match is None else Month(int(match[1]), int(match[2]))


def months_to_purge(existing: Iterable[Month], keep_from: datetime) -> tuple[Month, ...]:
    """Return the months that lie wholly before a moment, oldest first."""
    return tuple(month for month in sorted(existing) if month.next().begins_at <= keep_from)
