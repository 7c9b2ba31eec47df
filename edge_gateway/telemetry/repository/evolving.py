"""The tables whose rows evolve with the states, and the records that are written of them."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime

import msgspec

from edge_gateway.telemetry.rows import AreaDay, Evolving, JobRow, Totals

type Record = tuple[object, ...]

_ENCODER = msgspec.json.Encoder()


class EvolvingTable(msgspec.Struct, frozen=True, kw_only=True):
    """One table of the schema."""

    name: str
    keys: tuple[str, ...]
    columns: Mapping[str, str]
    """Types by name, in the order of the records."""
    adds: frozenset[str] = frozenset()
    """The columns to which a record adds; the others it replaces."""
    latest: frozenset[str] = frozenset()
    """The columns of which the later value stays."""

    @property
    def assignments(self) -> str:
        """What a record does to a row that is there already."""
        return ", ".join(f"{column} = {self._value(column)}" for column in self.columns if column not in self.keys)

    @property
    def upsert(self) -> str:
        """The statement for many records: one array per column."""
        arrays = ", ".join(f"${place}::{kind}[]" for place, kind in enumerate(self.columns.values(), 1))
        return (
            f"INSERT INTO telemetry.{self.name} ({', '.join(self.columns)}) SELECT * FROM unnest({arrays})"  # noqa: S608  # names of ours
            f" ON CONFLICT ({', '.join(self.keys)}) DO UPDATE SET {self.assignments}"
        )

    def _value(self, column: str) -> str:
        if column in self.adds:
            return f"{self.name}.{column} + excluded.{column}"
        if column in self.latest:
            return f"greatest({self.name}.{column}, excluded.{column})"
        return f"excluded.{column}"


TOTALS = {
    "mowing_microseconds": "bigint",
    "distance_millimetres": "bigint",
    "area_square_centimetres": "bigint",
    "charge_cycles": "bigint",
    "blade_microseconds": "bigint",
}

BOOK = EvolvingTable(
    name="book",
    keys=("mower_id",),
    columns={
        "mower_id": "text",
        "account_id": "text",
        "observed_at": "timestamptz",
        "state": "bytea",
        "document": "bytea",
    },
)
DAY = EvolvingTable(
    name="day",
    keys=("mower_id", "day"),
    columns={"mower_id": "text", "day": "date", **TOTALS},
    adds=frozenset(TOTALS),
)
AREA_DAY = EvolvingTable(
    name="area_day",
    keys=("mower_id", "area_id", "day"),
    columns={
        "mower_id": "text",
        "area_id": "text",
        "day": "date",
        "mowing_microseconds": "bigint",
        "last_mowed_at": "timestamptz",
    },
    adds=frozenset({"mowing_microseconds"}),
    latest=frozenset({"last_mowed_at"}),
)
JOB = EvolvingTable(
    name="job",
    keys=("mower_id", "job_id"),
    columns={
        "mower_id": "text",
        "job_id": "text",
        "command_id": "text",
        "started_at": "timestamptz",
        "last_at": "timestamptz",
        "ended_at": "timestamptz",
        "ending": "text",
        "area_ids": "jsonb",
        "progress_percent": "float8",
        "area_square_centimetres": "bigint",
        "mowing_microseconds": "bigint",
        "distance_millimetres": "bigint",
        "charging_breaks": "bigint",
        "docked": "boolean",
    },
)

UPSERTS: Mapping[str, str] = {table.name: table.upsert for table in (BOOK, DAY, AREA_DAY, JOB)}
"""The statements by table, built once."""


class Records(msgspec.Struct, kw_only=True):
    """What a batch writes, by table."""

    book: list[Record] = []
    day: list[Record] = []
    area_day: list[Record] = []
    job: list[Record] = []

    def by_table(self) -> Sequence[tuple[EvolvingTable, list[Record]]]:
        """Return them in the order in which they are written."""
        return ((BOOK, self.book), (DAY, self.day), (AREA_DAY, self.area_day), (JOB, self.job))


def book_record(
    mower_id: str, account_id: str | None, observed_at: datetime | None, state: bytes | None, evolving: Evolving
) -> Record:
    """Return the row of a mower's book."""
    return (mower_id, account_id, observed_at, state, _ENCODER.encode(evolving))


def day_record(mower_id: str, day: date, totals: Totals) -> Record:
    """Return what is added to a day."""
    return (
        mower_id,
        day,
        totals.mowing_microseconds,
        totals.distance_millimetres,
        totals.area_square_centimetres,
        totals.charge_cycles,
        totals.blade_microseconds,
    )


def area_day_record(mower_id: str, area_id: str, day: date, area_day: AreaDay) -> Record:
    """Return what is added to an area's day."""
    return (mower_id, area_id, day, area_day.mowing_microseconds, area_day.last_mowed_at)


def job_record(mower_id: str, row: JobRow) -> Record:
    """Return the row of a job."""
    return (
        mower_id,
        row.job_id,
        row.command_id,
        row.started_at,
        row.last_at,
        row.ended_at,
        row.ending,
        msgspec.json.encode(row.area_ids).decode(),
        row.progress_percent,
        row.area_square_centimetres,
        row.mowing_microseconds,
        row.distance_millimetres,
        row.charging_breaks,
        row.docked,
    )
