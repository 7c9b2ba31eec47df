"""Telemetry on servers that may be killed, with mowers that report through every fault, and an oracle in memory."""

import asyncio
import os
import signal
from collections.abc import Sequence
from datetime import timedelta

from edge_gateway.bus.limits import BusLimits
from edge_gateway.bus.protocol import EventBus
from edge_gateway.contracts import subjects
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.contracts.envelope import wrap
from edge_gateway.contracts.errors import UnavailableError
from edge_gateway.contracts.identifiers import state_event_id
from edge_gateway.contracts.mower import Activity, Job, MowerState
from edge_gateway.database.pools import Pool
from edge_gateway.embedded.nats_server import NatsServer
from edge_gateway.embedded.postgres_server import PostgresServer
from edge_gateway.telemetry.ingest import Ingest
from edge_gateway.telemetry.repository.directory import DirectoryEntry
from edge_gateway.telemetry.settings import TelemetrySettings
from tests.background_loop import BackgroundLoop
from tests.eventually import eventually
from tests.service.telemetry.conftest import BEGIN, state
from tests.service.telemetry.memory_store import MemoryStore
from tests.service.telemetry.stored import rows_of_database, rows_of_memory

LIMITS = BusLimits(
    publish_seconds=3.0,
    acknowledge_wait_seconds=2.0,
    idle_wait_seconds=1.0,
    first_back_off_seconds=0.05,
    longest_back_off_seconds=0.3,
    drain_seconds=2.0,
    lease_seconds=2.0,
    lease_margin_seconds=0.5,
)
SETTINGS = TelemetrySettings(ingest_batch_max=16, ingest_batch_wait_seconds=0.01)
MOWERS = ("m1", "m2", "m3")
_BEGIN = BEGIN - timedelta(days=20)
"""So long ago that no report lies in the future, of ten minutes with hundreds of them a second neither."""
_SHOWN = 5
"""Rows of a difference: more tell nothing new."""


class Killable:
    """A server under the test's hand."""

    def __init__(self, server: PostgresServer | NatsServer, loop: BackgroundLoop) -> None:
        """Take hold of a running server."""
        self._server = server
        self._loop = loop

    async def kill(self) -> None:
        """Kill it as a power cut of this program would."""
        process_id = self._server.process_id
        assert process_id is not None
        # PostgreSQL's own children end by themselves when their parent is gone.
        os.kill(process_id, signal.SIGKILL)
        await asyncio.to_thread(self._loop.run, self._server.exited())

    async def start(self) -> None:
        """Start it again, at the same address."""
        await asyncio.to_thread(self._loop.run, self._server.start())


def report(mower_id: str, number: int) -> MowerState:
    """Return the `number`-th report of a mower: it mows, and rests now and then."""
    rests = number % 20 > 16
    return state(
        number,
        mower_id=mower_id,
        observed_at=_BEGIN + timedelta(seconds=number),
        activity=Activity.DOCKED if rests else Activity.MOWING,
        progress_percent=None if rests else float(number % 100),
        job=None if rests else Job(id=f"{mower_id}-j{number // 20}", area_ids=("a1",)),
        charging=rests,
    )


class Mowers:
    """Mowers that report without pause, each report until the stream has it."""

    def __init__(self, bus: EventBus, *, pause_seconds: float = 0.002) -> None:
        """Publish on a bus, and pause after each round of reports."""
        self._bus = bus
        self._pause_seconds = pause_seconds
        self._stopping = asyncio.Event()
        self.states: list[MowerState] = []
        self._task = asyncio.create_task(self._report())

    async def until(self, number: int) -> None:
        """Wait until each has sent so many reports."""

        async def enough() -> bool:
            assert not self._task.done(), "the mowers stopped reporting"
            return len(self.states) >= number * len(MOWERS)

        await eventually(enough, seconds=60)

    async def stop(self) -> Sequence[MowerState]:
        """End; return all reports, in their order."""
        self._stopping.set()
        await self._task
        return self.states

    async def _report(self) -> None:
        number = 0
        while not self._stopping.is_set():
            for mower_id in MOWERS:
                each = report(mower_id, number)
                await publish_until_taken(self._bus, each)
                self.states.append(each)
            number += 1
            await asyncio.sleep(self._pause_seconds)


async def publish_until_taken(bus: EventBus, each: MowerState) -> None:
    """Publish a report as a mower's actor does, through every absence of the server."""
    event_id = state_event_id(each.mower_id, each.observed_at)
    envelope = wrap(
        each,
        id=event_id,
        type=subjects.STATE_TYPE,
        occurred_at=each.observed_at,
        account_id=each.account_id,
        subject_id=each.mower_id,
    )
    while True:
        try:
            await bus.publish(subjects.state_subject(each.mower_id), envelope)
        except UnavailableError:
            continue
        return


def entry(mower_id: str) -> DirectoryEntry:
    """Return a mower as the fleet tells of it."""
    return DirectoryEntry(
        mower_id=mower_id, account_id="home", site_id="home", time_zone="Europe/Berlin", provider="simulator"
    )


async def ask(mower_id: str) -> DirectoryEntry | None:
    """Answer for the fleet, which knows the mowers."""
    return entry(mower_id) if mower_id in MOWERS else None


async def check_all_stored(pool: Pool, states: Sequence[MowerState], *, seconds: float = 20.0) -> None:
    """Wait until everything is stored; then every row of every table is as if each report had come once, in order."""
    newest = {each.mower_id: each.observed_at for each in states}

    async def arrived() -> bool:
        try:
            rows = await pool.fetch("SELECT mower_id, observed_at FROM telemetry.book")
        except Exception:  # noqa: BLE001 - the server may still be starting
            return False
        return {row["mower_id"]: row["observed_at"] for row in rows} == newest

    await eventually(arrived, seconds=seconds)
    store = MemoryStore(SETTINGS)
    for mower_id in MOWERS:
        await store.put_mower(entry(mower_id))
    await Ingest(store, ask, SystemClock()).record_states(states)
    expected, found = rows_of_memory(store), await rows_of_database(pool)
    for table in ("log", "latest", "health", "day", "area_day", "job"):
        assert found[table] == expected[table], f"{table}: {_difference(expected[table], found[table])}"
    # What was not relayed yet is there once.
    ids = [row[0] for row in found["outbox"]]
    assert len(set(ids)) == len(ids)


def _difference(expected: Sequence[object], found: Sequence[object]) -> str:
    """Return the first rows that only one has, told apart by their text: some hold what has no hash."""
    ours, theirs = dict.fromkeys(map(repr, expected)), dict.fromkeys(map(repr, found))
    missing = [text for text in ours if text not in theirs]
    surplus = [text for text in theirs if text not in ours]
    return f"{len(missing)} missing {missing[:_SHOWN]}, {len(surplus)} surplus {surplus[:_SHOWN]}"
