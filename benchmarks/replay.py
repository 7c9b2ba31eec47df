"""A day of twenty mowers that report once a second, taken in end to end: the process's memory stays flat.

    .venv/bin/python benchmarks/replay.py [--hours 24] [--mowers 20] [--json]

Replayed as fast as it goes, through a real NATS server and a real PostgreSQL. The slope is that of a straight line
through the resident memory of this process, of the second half of the run (the first warms caches up).
"""

import argparse
import asyncio
import logging
import statistics
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import msgspec
import nats
import structlog

from benchmarks.ingest_parts import servers, sides, states
from edge_gateway.bus.jetstream import JetStreamBus
from edge_gateway.contracts import subjects
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.telemetry.ingest import Ingest
from edge_gateway.telemetry.settings import TelemetrySettings
from edge_gateway.telemetry.store import PostgresStore

_CHUNK_SECONDS = 300
"""Of the mowers' time, between two looks at the memory."""
_PAGE_MEBIBYTES = 4096 / 1024 / 1024


async def replay(*, hours: float, mowers: int) -> dict[str, Any]:
    """Return memory and speed of a replay."""
    chunks = max(4, round(hours * 3600 / _CHUNK_SECONDS))
    looks: list[tuple[float, float]] = []
    begin = time.monotonic()
    async with servers.running() as running:
        pool = await sides.prepared_pool(await running.new_database(), mowers)
        bus = await JetStreamBus.connect(running.nats_url, clock=SystemClock(), instance_id="replay")
        client = await nats.connect(running.nats_url)
        ingest = Ingest(PostgresStore(pool, TelemetrySettings()), sides.nobody, SystemClock())
        await bus.subscribe_batch(
            subjects.ALL_STATES, ingest.handle, durable="replay", max_batch=64, max_wait_seconds=0.2
        )
        total = 0
        all_states = states.states(chunks * _CHUNK_SECONDS * mowers, mowers=mowers, period=states.SECOND)
        for chunk in range(chunks):
            total += await sides.publish_some(client, all_states, _CHUNK_SECONDS * mowers)
            while await pool.fetchval("SELECT count(*) FROM telemetry.log") < total:  # noqa: ASYNC110 - no event tells
                await asyncio.sleep(0.2)
            looks.append(((chunk + 1) * _CHUNK_SECONDS / 3600, _resident_mebibytes()))
        await client.close()
        await bus.close()
        pool.terminate()
    warm = looks[len(looks) // 2 :]
    slope = statistics.linear_regression([hour for hour, _ in warm], [mebibytes for _, mebibytes in warm]).slope
    return {
        "hours": chunks * _CHUNK_SECONDS / 3600,
        "mowers": mowers,
        "states": total,
        "seconds": round(time.monotonic() - begin, 1),
        "resident_mib_middle": round(warm[0][1], 2),
        "resident_mib_end": round(warm[-1][1], 2),
        "slope_mib_per_hour": round(slope, 4),
    }


def _resident_mebibytes() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * _PAGE_MEBIBYTES


def main() -> None:
    """Replay and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hours", type=float, default=24.0)
    parser.add_argument("--mowers", type=int, default=20)
    parser.add_argument("--json", action="store_true", help="print nothing but one JSON object")
    arguments = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    figures = msgspec.json.encode(asyncio.run(replay(hours=arguments.hours, mowers=arguments.mowers)))
    print((figures if arguments.json else msgspec.json.format(figures)).decode())


if __name__ == "__main__":
    main()
