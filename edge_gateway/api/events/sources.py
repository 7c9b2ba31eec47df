"""Where events come from: live subscriptions, and a watch over the bus that notices when events may be missing."""

import asyncio

from edge_gateway.api import metrics
from edge_gateway.api.events.inbox import Gap, Inbox
from edge_gateway.bus.protocol import EventBus, Subscription
from edge_gateway.contracts import subjects

SUBJECTS = (
    subjects.ALL_STATES,
    subjects.ALL_AVAILABILITIES,
    subjects.ALL_MAPS,
    subjects.ALL_OUTCOMES,
    # One subscription where it can be, so that the order among these subjects stays.
    "scheduler.*.*",
    "fleet.*.changed",
    "device.*.changed",
    subjects.BLADE_THRESHOLD,
    "telemetry.zone.*",
    subjects.JOB_FINISHED,
    subjects.NOTIFICATION,
    subjects.GRANTS_CHANGED,
)

_WATCH_SECONDS = 0.5


class Sources:
    """Fills the inbox."""

    def __init__(self, bus: EventBus, inbox: Inbox) -> None:
        """Listen on `bus`."""
        self._bus = bus
        self._inbox = inbox
        self._subscriptions: list[Subscription] = []
        self._watch: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Subscribe to everything that readers are told of."""
        for subject in SUBJECTS:
            self._subscriptions.append(await self._bus.subscribe(subject, self._inbox.take, acknowledge=False))
        self._watch = asyncio.create_task(self._watch_bus(), name="api bus watch")

    async def stop(self) -> None:
        """Let go of the subscriptions."""
        if self._watch is not None:
            self._watch.cancel()
            await asyncio.gather(self._watch, return_exceptions=True)
        await asyncio.gather(*(subscription.unsubscribe() for subscription in self._subscriptions))
        self._subscriptions.clear()

    async def _watch_bus(self) -> None:
        was_ready = True
        while True:
            await asyncio.sleep(_WATCH_SECONDS)
            ready = await self._bus.ready()
            metrics.BUS_READY.set(ready)
            if ready and not was_ready:
                self._inbox.put(Gap("bus_reconnected"))
            was_ready = ready
