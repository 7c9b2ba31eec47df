"""A process that runs Notifications and kills itself at a chosen step: `victim.py NATS_URL DATABASE_URL STEP`."""

import asyncio
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Never, override

from edge_gateway.bus import outbox
from edge_gateway.bus.jetstream import JetStreamBus
from edge_gateway.bus.outbox import Connection
from edge_gateway.bus.protocol import Delivery, Verdict
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.contracts.envelope import Envelope
from edge_gateway.database.pools import open_pool
from edge_gateway.notifications import repository
from edge_gateway.notifications.intake import Intake
from edge_gateway.notifications.service import NotificationsService
from edge_gateway.notifications.watch import Watch
from tests.service.notifications.conftest import LIMITS
from tests.service.notifications.garden import SETTINGS

STEPS = ("before_reading", "watches_written", "events_written", "committed", "published")


def _die() -> Never:
    os.kill(os.getpid(), signal.SIGKILL)
    message = "a killed process goes on"
    raise AssertionError(message)


def arm(step: str) -> None:
    """Let the process die at a step of the first batch that tells something."""
    handle, put_watches, put = Intake.handle, repository.put_watches, outbox.put
    told = False

    async def dying_handle(intake: Intake, deliveries: Sequence[Delivery]) -> Sequence[Verdict]:
        if step == "before_reading":
            _die()
        verdicts = await handle(intake, deliveries)
        if step == "committed" and told:
            _die()
        return verdicts

    async def dying_put_watches(connection: Connection, watches: Mapping[str, tuple[Watch, datetime | None]]) -> None:
        await put_watches(connection, watches)
        if step == "watches_written":
            _die()

    async def dying_put(connection: Connection, schema: str, subject: str, envelope: Envelope) -> None:
        nonlocal told
        told = True
        await put(connection, schema, subject, envelope)
        if step == "events_written":
            _die()

    Intake.handle = dying_handle  # type: ignore[method-assign, assignment]  # this process is there to die
    repository.put_watches = dying_put_watches
    outbox.put = dying_put


class DyingBus(JetStreamBus):
    """Dies when an event of Notifications has been published, before the outbox knows."""

    dies = False

    @override
    async def publish(self, subject: str, envelope: Envelope) -> None:
        """Publish."""
        await super().publish(subject, envelope)
        if self.dies and subject == "notifications.event":
            _die()


async def main(nats_url: str, database_url: str, step: str) -> None:
    """Run until killed."""
    arm(step)
    DyingBus.dies = step == "published"
    bus = await DyingBus.connect(nats_url, clock=SystemClock(), instance_id="instance-1", limits=LIMITS)
    pool = await open_pool(database_url, application_name="victim")
    service = NotificationsService(bus=bus, pool=pool, clock=SystemClock(), settings=SETTINGS, instance_id="instance-1")
    await service.start()
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
