"""How far each order of one mower has come, told on the bus."""

from typing import Any

from edge_gateway.bus.protocol import EventBus
from edge_gateway.contracts import subjects
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.commands import CommandKind, CommandOutcome, CommandStatus
from edge_gateway.contracts.envelope import Envelope, wrap
from edge_gateway.contracts.identifiers import outcome_event_id
from edge_gateway.device_gateway import metrics
from edge_gateway.device_gateway.publisher import EventKind, Publisher


class Outcomes:
    """Tells outcomes: at once where an order depends on it, in the queue otherwise."""

    def __init__(self, bus: EventBus, publisher: Publisher, clock: Clock, *, mower_id: str, account_id: str) -> None:
        """Tell about the orders of this mower."""
        self._bus = bus
        self._publisher = publisher
        self._clock = clock
        self._mower_id = mower_id
        self._account_id = account_id

    async def last(self, command_id: str) -> CommandOutcome | None:
        """Return what was told last; raises `UnavailableError` when the bus is away."""
        envelope = await self._bus.last(subjects.outcome_subject(self._mower_id, command_id))
        return None if envelope is None else envelope.decode(CommandOutcome)

    async def tell_now(self, command_id: str, kind: CommandKind, status: CommandStatus) -> None:
        """Tell and wait until the stream has it; raises `UnavailableError` when the bus is away."""
        envelope = self._envelope(command_id, status, None, {})
        await self._bus.publish(subjects.outcome_subject(self._mower_id, command_id), envelope)
        metrics.OUTCOMES.labels(kind, status).inc()

    def tell(
        self,
        command_id: str,
        kind: str,
        status: CommandStatus,
        *,
        reason: str | None = None,
        values: dict[str, Any] | None = None,
    ) -> None:
        """Tell as soon as the bus takes it, after what was told before."""
        envelope = self._envelope(command_id, status, reason, values or {})
        self._publisher.put(subjects.outcome_subject(self._mower_id, command_id), envelope, EventKind.OUTCOME)
        metrics.OUTCOMES.labels(kind, status).inc()

    def _envelope(self, command_id: str, status: CommandStatus, reason: str | None, values: dict[str, Any]) -> Envelope:
        now = self._clock.now()
        outcome = CommandOutcome(
            command_id=command_id,
            account_id=self._account_id,
            mower_id=self._mower_id,
            status=status,
            reason=reason,
            values=values,
            at=now,
        )
        return wrap(
            outcome,
            id=outcome_event_id(command_id, status),
            type=subjects.OUTCOME_TYPE,
            occurred_at=now,
            account_id=self._account_id,
            subject_id=command_id,
        )
