"""A store in memory, with the rows that PostgreSQL would have."""

import copy
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any, override
from zoneinfo import ZoneInfo

from edge_gateway.contracts.envelope import Envelope
from edge_gateway.contracts.mower import MowerState
from edge_gateway.contracts.telemetry import Zone
from edge_gateway.telemetry.book import Book, KnownMower
from edge_gateway.telemetry.open_day import add_totals
from edge_gateway.telemetry.repository.books import Claim
from edge_gateway.telemetry.repository.directory import DirectoryEntry
from edge_gateway.telemetry.rows import AreaDay, Health, JobRow, Totals
from edge_gateway.telemetry.settings import TelemetrySettings
from edge_gateway.telemetry.store import OpenBooks, Store
from edge_gateway.telemetry.write_rules import Latest, LogRow


class MemoryStore(Store):
    """See `Store`."""

    def __init__(self, settings: TelemetrySettings) -> None:
        """Hold nothing."""
        self._caps = settings.interval_caps
        self._blade_life = timedelta(hours=settings.blade_life_hours)
        self.directory: dict[str, DirectoryEntry] = {}
        self.area_sizes: dict[str, Mapping[str, float | None]] = {}
        self.zones: dict[str, tuple[Zone, ...]] = {}
        self.latest: dict[str, tuple[Latest, MowerState]] = {}
        self.health: dict[str, Health] = {}
        self.log: dict[tuple[str, Any], LogRow] = {}
        self.days: dict[tuple[str, Any], Totals] = {}
        self.area_days: dict[tuple[str, str, Any], AreaDay] = {}
        self.jobs: dict[tuple[str, str], JobRow] = {}
        self.events: list[Envelope] = []

    @override
    async def known(self, mower_ids: Sequence[str]) -> frozenset[str]:
        return frozenset(mower_id for mower_id in mower_ids if mower_id in self.directory)

    @override
    async def put_mower(self, entry: DirectoryEntry) -> None:
        self.directory[entry.mower_id] = entry

    @override
    @asynccontextmanager
    async def open(
        self, claim: Claim, named_jobs: Mapping[str, Collection[str]], texts: Collection[str], *, careful: bool = False
    ) -> AsyncIterator[OpenBooks]:
        books = {mower_id: self._book(mower_id) for mower_id in named_jobs if mower_id in self.directory}
        opened = OpenBooks(books, [])
        yield opened
        for mower_id, book in books.items():
            self._close(mower_id, book)
        self.events += opened.events

    def _book(self, mower_id: str) -> Book:
        entry = self.directory[mower_id]
        stored = self.latest.get(mower_id)
        mower = KnownMower(
            mower_id=mower_id,
            number=0,
            account_id=entry.account_id,
            zone=ZoneInfo(entry.time_zone),
            interval_cap=self._caps.by_provider.get(entry.provider or "", self._caps.default),
            blade_life_microseconds=self._blade_life // timedelta(microseconds=1),
            area_sizes=self.area_sizes.get(mower_id),
            zones=self.zones.get(mower_id, ()),
        )
        jobs = {job_id: copy.copy(row) for (owner, job_id), row in self.jobs.items() if owner == mower_id}
        health = copy.copy(self.health.get(mower_id, Health()))
        newest = None if health.job_id is None else jobs.get(health.job_id)
        book = Book(mower, latest=None if stored is None else stored[0], health=health, job=newest)
        book.other_jobs |= jobs
        return book

    def _close(self, mower_id: str, book: Book) -> None:
        for row in (*book.newer, *book.late):
            self.log.setdefault((mower_id, row.observed_at), row)
        if book.newest is None or book.latest is None:
            return
        self.latest[mower_id] = book.latest, book.newest
        self.health[mower_id] = book.health
        for job_id, job in book.jobs.items():
            self.jobs[mower_id, job_id] = job
        for day, totals in book.days.items():
            add_totals(self.days.setdefault((mower_id, day), Totals()), totals)
        for (area_id, day), added in book.area_days.items():
            area_day = self.area_days.setdefault((mower_id, area_id, day), AreaDay(last_mowed_at=added.last_mowed_at))
            area_day.mowing_microseconds += added.mowing_microseconds
            area_day.last_mowed_at = max(area_day.last_mowed_at, added.last_mowed_at)
