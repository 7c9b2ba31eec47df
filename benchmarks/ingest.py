"""How fast states are taken in, against one transaction per state and against the ceiling; all sides in one run.

    .venv/bin/python benchmarks/ingest.py [--json] [--rounds 3] [--quick]

Real servers: nats-server with file storage, PostgreSQL with fsync on, both as the program starts them. A round measures
all sides one after the other; a ratio is the median of the rounds' ratios, so that what else the machine does weighs on
both sides of it. docs/figures.md tells what the numbers mean.
"""

import argparse
import asyncio
import logging
import statistics
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import msgspec
import structlog

from benchmarks.ingest_parts import servers, sides, storage
from benchmarks.ingest_parts.sides import Measured


class Round(msgspec.Struct, frozen=True, kw_only=True):
    """All sides, measured one after the other."""

    naive: Measured
    batched_64: Measured
    batched_1000: Measured
    ceiling_1000: Measured


async def measure(*, rounds: int, quick: bool) -> dict[str, Any]:
    """Return all figures."""
    share = 0.2 if quick else 1.0
    async with servers.running() as running:
        sides_of = [await _round(running, share) for _ in range(rounds)]
        by_mowers = [
            (mowers, await sides.batched(running, batch=1000, total=int(40_000 * share), mowers=mowers))
            for mowers in (1, 10, 100, 1000)
        ]
        alike = [
            (mowers, await sides.batched(running, batch=5 * mowers, total=int(40_000 * share), mowers=mowers))
            for mowers in (10, 100, 1000)
        ]
        stored = await storage.measure(running, days=10 if quick else 60)
    return {
        **_ratios(sides_of),
        **stored,
        **_details(sides_of[-1]),
        "cpu_ms_per_state_by_mowers": _by(by_mowers),
        "cpu_ms_per_state_by_mowers_five_states_each": _by(alike),
    }


async def _round(running: servers.Servers, share: float) -> Round:
    return Round(
        naive=await sides.naive(running, total=int(3000 * share)),
        batched_64=await sides.batched(running, batch=64, total=int(50_000 * share)),
        batched_1000=await sides.batched(running, batch=1000, total=int(100_000 * share)),
        ceiling_1000=await sides.ceiling(running, batch=1000, total=int(100_000 * share)),
    )


def _ratios(rounds: list[Round]) -> dict[str, float]:
    def middle(ratio: Callable[[Round], float]) -> float:
        return round(statistics.median(map(ratio, rounds)), 3)

    def speed(one: Measured, other: Measured) -> float:
        return one.states_per_second / other.states_per_second

    def cost(one: Measured, other: Measured) -> float:
        return one.cpu_milliseconds_per_state / other.cpu_milliseconds_per_state

    return {
        "ratio_batched_to_naive": middle(lambda each: speed(each.batched_64, each.naive)),
        "ratio_cpu_naive_to_batched": middle(lambda each: cost(each.naive, each.batched_64)),
        "ratio_1000_to_naive": middle(lambda each: speed(each.batched_1000, each.naive)),
        "ratio_batched_to_ceiling": middle(lambda each: speed(each.batched_1000, each.ceiling_1000)),
        "ratio_cpu_ceiling_to_batched": middle(lambda each: cost(each.ceiling_1000, each.batched_1000)),
        "commits_per_state": middle(lambda each: each.batched_64.commits / each.batched_64.states),
    }


def _details(last: Round) -> dict[str, Any]:
    return {
        "sides": {
            name: {
                "states": side.states,
                "states_per_second": round(side.states_per_second),
                "cpu_ms_per_state": round(side.cpu_milliseconds_per_state, 4),
                "python": round(side.cpu.python * 1000 / side.states, 4),
                "postgres": round(side.cpu.postgres * 1000 / side.states, 4),
                "nats": round(side.cpu.nats * 1000 / side.states, 4),
                "commits_per_state": round(side.commits / side.states, 4),
            }
            for name in Round.__struct_fields__
            for side in (getattr(last, name),)
        }
    }


def _by(measured: list[tuple[int, Measured]]) -> dict[str, float]:
    return {str(mowers): round(side.cpu_milliseconds_per_state, 4) for mowers, side in measured}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print nothing but one JSON object")
    parser.add_argument("--rounds", type=int, default=3, help="how often all sides are measured")
    parser.add_argument("--quick", action="store_true", help="a fifth of the states: a look, no verdict")
    arguments = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    figures = asyncio.run(measure(rounds=arguments.rounds, quick=arguments.quick))
    encoded = msgspec.json.encode(figures)
    print((encoded if arguments.json else msgspec.json.format(encoded)).decode())


if __name__ == "__main__":
    main()
