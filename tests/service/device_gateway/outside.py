"""What is seen and ordered from outside the gateway: orders as the fleet publishes them, everything told of mowers."""

import asyncio
from collections.abc import Callable
from datetime import timedelta

import msgspec

from edge_gateway.bus.protocol import EventBus
from edge_gateway.contracts import subjects
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.contracts.commands import (
    FINAL_STATUSES,
    MOTION_EXPIRES_SECONDS,
    ORDER_EXPIRES_SECONDS,
    CommandBody,
    CommandKind,
    CommandOrder,
    CommandOutcome,
    StartMode,
)
from edge_gateway.contracts.envelope import Envelope, wrap
from edge_gateway.contracts.identifiers import ACCOUNT_ID, new_id
from edge_gateway.contracts.map import MowerMap
from edge_gateway.contracts.mower import MowerAvailability, MowerState
from edge_gateway.contracts.principals import OWNER

MOWER_ID = "mower-1"
_WAIT_SECONDS = 10.0


class Outside:
    """A client of the bus."""

    def __init__(self, clock: SystemClock) -> None:
        """Begin with nothing heard; `listen` begins to hear."""
        self.clock = clock
        self.bus: EventBus
        self.states: list[MowerState] = []
        """The states that were published."""
        self.maps: list[MowerMap] = []
        self.availabilities: list[MowerAvailability] = []
        self._outcomes: dict[str, list[CommandOutcome]] = {}
        self._news = asyncio.Event()

    async def listen(self, bus: EventBus) -> None:
        """Listen to everything that is told about mowers."""
        self.bus = bus
        for subject, hear in (
            (subjects.ALL_OUTCOMES, self._hear_outcome),
            (subjects.ALL_STATES, self._hear_state),
            (subjects.ALL_MAPS, self._hear_map),
            (subjects.ALL_AVAILABILITIES, self._hear_availability),
        ):
            await bus.subscribe(subject, hear, acknowledge=False)

    async def order(
        self,
        kind: CommandKind,
        *,
        mode: StartMode = StartMode.AUTO,
        area_ids: tuple[str, ...] | None = None,
        issued_ago_seconds: float = 0.0,
        command_id: str | None = None,
        setting: tuple[str, object] | None = None,
        mower_id: str = MOWER_ID,
    ) -> str:
        """Publish an order as the fleet does; return the command's id."""
        issued_at = self.clock.now() - timedelta(seconds=issued_ago_seconds)
        body = CommandBody(kind=kind, mode=mode, area_ids=area_ids)
        if setting is not None:
            body = msgspec.structs.replace(body, setting_key=setting[0], setting_value=setting[1])
        order = CommandOrder(
            command_id=command_id or new_id(),
            account_id=ACCOUNT_ID,
            mower_id=mower_id,
            body=body,
            issued_by=OWNER,
            issued_at=issued_at,
            expires_at=issued_at + timedelta(seconds=ORDER_EXPIRES_SECONDS),
            motion_expires_at=issued_at + timedelta(seconds=MOTION_EXPIRES_SECONDS),
        )
        envelope = wrap(
            order,
            id=new_id(),
            type=subjects.ORDER_TYPE,
            occurred_at=issued_at,
            account_id=ACCOUNT_ID,
            subject_id=order.command_id,
        )
        await self.bus.publish(subjects.order_subject(mower_id), envelope)
        return order.command_id

    async def final(self, command_id: str) -> CommandOutcome:
        """Wait for the end of an order; return its last outcome."""
        await self.until(lambda: any(o.status in FINAL_STATUSES for o in self.outcomes(command_id)))
        return self.outcomes(command_id)[-1]

    async def until(self, true: Callable[[], bool], *, seconds: float = _WAIT_SECONDS) -> None:
        """Wait until something is true, looked at after each thing heard."""
        async with asyncio.timeout(seconds):
            while not true():
                self._news.clear()
                await self._news.wait()

    def outcomes(self, command_id: str) -> list[CommandOutcome]:
        """Return what was told of an order so far."""
        return self._outcomes.get(command_id, [])

    async def _hear_outcome(self, envelope: Envelope) -> None:
        outcome = envelope.decode(CommandOutcome)
        self._outcomes.setdefault(outcome.command_id, []).append(outcome)
        self._news.set()

    async def _hear_state(self, envelope: Envelope) -> None:
        self.states.append(envelope.decode(MowerState))
        self._news.set()

    async def _hear_map(self, envelope: Envelope) -> None:
        self.maps.append(envelope.decode(MowerMap))
        self._news.set()

    async def _hear_availability(self, envelope: Envelope) -> None:
        self.availabilities.append(envelope.decode(MowerAvailability))
        self._news.set()
