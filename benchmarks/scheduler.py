"""How fast the next occurrence is found, how long firings take, and whether two replicas ever fire one twice.

    .venv/bin/python benchmarks/scheduler.py [--json] [--quick]

The next occurrence is measured against dateutil's rrule with the same rule for changes of the clock on top, both sides
in turns. Firings run on real servers (PostgreSQL with fsync on, NATS with file storage) and the real Fleet, each
service with a pool of its own, as the program has them. docs/figures.md tells what the numbers mean.
"""

import argparse
import asyncio
import logging
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import msgspec
import structlog

from benchmarks.ingest_parts import servers
from benchmarks.scheduler_parts import firing, recurrence


async def measure(*, quick: bool) -> dict[str, Any]:
    """Return all figures."""
    due, stored, firings = (200, 20_000, 1_000) if quick else (1_000, 100_000, 10_000)
    async with servers.running() as running:
        fired = await firing.seconds_to_fire(running, due=due, stored_schedules=stored)
        doubles = await firing.count_double_fires(running, firings=firings)
    return {
        "ratio_to_rrule": round(recurrence.ratio(), 1),
        "next_occurrence_microseconds": round(recurrence.microseconds(), 2),
        "fire_1000_seconds": round(fired.seconds * 1000 / due, 2),
        "fire_1000_cpu_seconds": round(fired.cpu.total * 1000 / due, 2),
        "fire_1000_cpu_seconds_of": {
            "python": round(fired.cpu.python * 1000 / due, 2),
            "postgres": round(fired.cpu.postgres * 1000 / due, 2),
            "nats": round(fired.cpu.nats * 1000 / due, 2),
        },
        "double_fires": doubles.count,
        "firings_counted": doubles.firings,
        "firings_by_replica": doubles.by_replica,
        "schedules_stored": stored,
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print nothing but one JSON object")
    parser.add_argument("--quick", action="store_true", help="a fifth of the firings, a tenth of the count: a look")
    arguments = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    encoded = msgspec.json.encode(asyncio.run(measure(quick=arguments.quick)))
    print((encoded if arguments.json else msgspec.json.format(encoded)).decode())


if __name__ == "__main__":
    main()
