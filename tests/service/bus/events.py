"""Events to publish, and recorders that wait for what arrives."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import msgspec

from edge_gateway.bus.protocol import Delivery, EventBus, Verdict
from edge_gateway.contracts import subjects
from edge_gateway.contracts.envelope import Envelope, wrap

WAIT_SECONDS = 20.0
QUIET_SECONDS = 0.3


class Note(msgspec.Struct, frozen=True):
    """A payload."""

    text: str = ""


def event(event_id: str, *, text: str = "") -> Envelope:
    """Return an event with an id."""
    return wrap(
        Note(text),
        id=event_id,
        type=subjects.STATE_TYPE,
        occurred_at=datetime.now(UTC),
        account_id="home",
        subject_id=event_id.partition(":")[0],
    )


async def publish_states(bus: EventBus, mower_id: str, numbers: Sequence[int]) -> None:
    """Publish events `<mower_id>:<number>` to the mower's subject."""
    for number in numbers:
        await bus.publish(subjects.state_subject(mower_id), event(f"{mower_id}:{number}"))


def ids(mower_id: str, numbers: Sequence[int]) -> list[str]:
    """Return the ids of `publish_states`."""
    return [f"{mower_id}:{number}" for number in numbers]


class Recorder:
    """A handler that remembers; `refuse` decides which events it raises on."""

    def __init__(self, refuse: Callable[[str], bool] = lambda _: False) -> None:
        """Start empty."""
        self.events: list[str] = []
        self._refuse = refuse
        self._changed = asyncio.Event()

    async def __call__(self, envelope: Envelope) -> None:
        """Handle one event."""
        self.note(envelope.id)
        if self._refuse(envelope.id):
            raise RefusedError

    def note(self, event_id: str) -> None:
        """Remember an id."""
        self.events.append(event_id)
        self._changed.set()

    async def until(self, wanted: Callable[[list[str]], bool], *, seconds: float = WAIT_SECONDS) -> None:
        """Wait until the remembered ids are as wanted."""
        try:
            async with asyncio.timeout(seconds):
                while not wanted(self.events):
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            message = f"only these arrived: {self.events[-50:]}"
            raise AssertionError(message) from None

    async def until_count(self, count: int, *, seconds: float = WAIT_SECONDS) -> list[str]:
        """Wait for so many; return them."""
        await self.until(lambda events: len(events) >= count, seconds=seconds)
        return list(self.events)

    async def until_all(self, wanted: Sequence[str], *, seconds: float = WAIT_SECONDS) -> None:
        """Wait until all of these were seen."""
        await self.until(lambda events: set(wanted) <= set(events), seconds=seconds)

    async def until_quiet(self) -> list[str]:
        """Wait until nothing more comes; return all that came."""
        async with asyncio.timeout(WAIT_SECONDS):
            while True:
                seen = len(self.events)
                if len(await self.quiet()) == seen:
                    return list(self.events)

    async def quiet(self) -> list[str]:
        """Give what should not come a moment to come; return all that came."""
        await asyncio.sleep(QUIET_SECONDS)
        return list(self.events)


class BatchRecorder(Recorder):
    """A batch handler that remembers; `decide` gives the verdict of each delivery."""

    def __init__(self, decide: Callable[[Delivery], Verdict] = lambda _: Verdict.ACK) -> None:
        """Start empty."""
        super().__init__()
        self.batches: list[list[str]] = []
        self.redelivered: list[str] = []
        self._decide = decide

    async def batch(self, deliveries: Sequence[Delivery]) -> Sequence[Verdict]:
        """Handle one batch."""
        self.batches.append([delivery.envelope.id for delivery in deliveries])
        verdicts = [self._decide(delivery) for delivery in deliveries]
        for delivery in deliveries:
            if delivery.redelivered:
                self.redelivered.append(delivery.envelope.id)
            self.note(delivery.envelope.id)
        return verdicts


class RefusedError(Exception):
    """What a test's handler raises."""
