"""The tables whose rows evolve with the states, and the records that books leave for them."""

from collections.abc import Callable, Mapping, Sequence

import msgspec

from edge_gateway.telemetry.book import Book
from edge_gateway.telemetry.rows import JobRow, Totals

type Record = tuple[object, ...]


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


_TOTALS = {
    "mowing_microseconds": "bigint",
    "distance_millimetres": "bigint",
    "area_square_centimetres": "bigint",
    "charge_cycles": "bigint",
    "blade_microseconds": "bigint",
}

LATEST = EvolvingTable(
    name="latest",
    keys=("mower_id",),
    columns={
        "mower_id": "text",
        "account_id": "text",
        "observed_at": "timestamptz",
        "activity": "text",
        "battery_percent": "smallint",
        "charging": "boolean",
        "area_id": "text",
        "progress_percent": "float8",
        "job_id": "text",
        "problem_code": "text",
        "document": "bytea",
    },
)
HEALTH = EvolvingTable(
    name="health",
    keys=("mower_id",),
    columns={
        "mower_id": "text",
        **_TOTALS,
        "blades_reset_at": "timestamptz",
        "blade_threshold_told": "boolean",
        "latitude": "float8",
        "longitude": "float8",
        "was_charging": "boolean",
        "zone_ids": "jsonb",
        "job_id": "text",
    },
)
DAY = EvolvingTable(
    name="day",
    keys=("mower_id", "day"),
    columns={"mower_id": "text", "day": "date", **_TOTALS},
    adds=frozenset(_TOTALS),
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


def _latest_records(book: Book) -> list[Record]:
    latest, newest = book.latest, book.newest
    if latest is None or newest is None:
        return []
    shown = latest.shown
    return [
        (
            book.mower.mower_id,
            latest.account_id,
            latest.observed_at,
            shown.activity.value,
            shown.battery_percent,
            shown.charging,
            shown.area_id,
            shown.progress_percent,
            shown.job_id,
            shown.problem_code,
            msgspec.json.encode(newest),
        )
    ]


def _health_records(book: Book) -> list[Record]:
    health = book.health
    latitude, longitude = health.place or (None, None)
    return [
        (
            book.mower.mower_id,
            *_totals(health),
            health.blades_reset_at,
            health.blade_threshold_told,
            latitude,
            longitude,
            health.was_charging,
            msgspec.json.encode(health.zone_ids).decode(),
            health.job_id,
        )
    ]


def _day_records(book: Book) -> list[Record]:
    return [(book.mower.mower_id, day, *_totals(totals)) for day, totals in book.days.items()]


def _area_day_records(book: Book) -> list[Record]:
    return [
        (book.mower.mower_id, area_id, day, area_day.mowing_microseconds, area_day.last_mowed_at)
        for (area_id, day), area_day in book.area_days.items()
    ]


def _job_records(book: Book) -> list[Record]:
    return [_job_record(book.mower.mower_id, row) for row in book.jobs.values()]


def _job_record(mower_id: str, row: JobRow) -> Record:
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


def _totals(totals: Totals) -> tuple[int, int, int, int, int]:
    return (
        totals.mowing_microseconds,
        totals.distance_millimetres,
        totals.area_square_centimetres,
        totals.charge_cycles,
        totals.blade_microseconds,
    )


RECORDS: Sequence[tuple[EvolvingTable, Callable[[Book], list[Record]]]] = (
    (LATEST, _latest_records),
    (HEALTH, _health_records),
    (DAY, _day_records),
    (AREA_DAY, _area_day_records),
    (JOB, _job_records),
)
"""Each table with what a book leaves for it, in the order in which they are written."""

UPSERTS: Mapping[str, str] = {table.name: table.upsert for table, _ in RECORDS}
"""The statements by table, built once."""
