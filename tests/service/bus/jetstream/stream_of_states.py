"""Publishes states of several mowers without pause, through every fault, as a device gateway does."""

import asyncio

from edge_gateway.bus.protocol import EventBus
from edge_gateway.contracts import subjects
from edge_gateway.contracts.errors import UnavailableError
from tests.service.bus.events import event, ids

MOWERS = ("a", "b", "c")


class States:
    """What was published, and the task that goes on publishing."""

    def __init__(self, bus: EventBus) -> None:
        """Prepare to publish on a bus."""
        self._bus = bus
        self._stopping = asyncio.Event()
        self._grown = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.published = 0
        """Numbers that all mowers' streams have."""

    def start(self) -> None:
        """Begin."""
        self._task = asyncio.create_task(self._publish())

    async def stop(self) -> dict[str, list[str]]:
        """End; return the ids of each mower, in order."""
        assert self._task is not None
        self._stopping.set()
        await self._task
        return {mower: ids(mower, range(self.published)) for mower in MOWERS}

    async def until(self, number: int) -> None:
        """Wait until so many were published."""
        async with asyncio.timeout(30):
            while self.published < number:
                self._grown.clear()
                await self._grown.wait()

    async def _publish(self) -> None:
        while not self._stopping.is_set():
            for mower in MOWERS:
                await self._publish_until_taken(subjects.state_subject(mower), f"{mower}:{self.published}")
            self.published += 1
            self._grown.set()
            await asyncio.sleep(0.002)

    async def _publish_until_taken(self, subject: str, event_id: str) -> None:
        while True:
            try:
                await self._bus.publish(subject, event(event_id))
            except UnavailableError:
                continue
            return


def first_seen(events: list[str], mower: str) -> list[str]:
    """Return a mower's ids in the order in which they were first seen."""
    return list(dict.fromkeys(event_id for event_id in events if event_id.startswith(f"{mower}:")))
