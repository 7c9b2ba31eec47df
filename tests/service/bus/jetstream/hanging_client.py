"""A client in a process of its own that takes a batch, an order or a lease, and hangs until it is killed.

Arguments: the server's address; `batch`, `order` or `lease`. Prints a line when it has what it came for.
"""

import asyncio
import sys
from collections.abc import Sequence

from edge_gateway.bus.jetstream import JetStreamBus
from edge_gateway.bus.protocol import Acknowledge, Delivery, Verdict
from edge_gateway.contracts import subjects
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.contracts.envelope import Envelope
from tests.service.bus.jetstream.conftest import LIMITS

LEASE = "mower/m1"
HOLDER = "instance-1"


async def hang(word: str) -> None:
    """Say a word and never return."""
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()
    await asyncio.Event().wait()


async def main(url: str, what: str) -> None:
    """Connect, take and hang."""
    bus = await JetStreamBus.connect(url, clock=SystemClock(), instance_id=HOLDER, limits=LIMITS)

    async def batch(deliveries: Sequence[Delivery]) -> Sequence[Verdict]:
        await hang(f"batch of {len(deliveries)}")
        return ()

    async def order(envelope: Envelope, _: Acknowledge) -> None:
        await hang(envelope.id)

    match what:
        case "batch":
            await bus.subscribe_batch(subjects.ALL_STATES, batch, durable="ingest", max_batch=4, max_wait_seconds=0.2)
        case "order":
            await bus.subscribe_orders(subjects.ALL_ORDERS, order, durable="actor")
        case "lease":
            lease = await bus.acquire_lease(LEASE, holder=HOLDER)
            assert lease is not None
            await hang(str(lease.fence))
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2]))
