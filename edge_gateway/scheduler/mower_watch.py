"""Keeping one small row per mower: live from the bus, and read back where a decision needs it to be fresh."""

import asyncio

import structlog

from edge_gateway.bus.protocol import Subscription
from edge_gateway.contracts import subjects
from edge_gateway.contracts.commands import CommandOutcome, CommandStatus
from edge_gateway.contracts.envelope import Envelope
from edge_gateway.contracts.errors import UnavailableError
from edge_gateway.contracts.map import MowerMap
from edge_gateway.contracts.mower import MowerAvailability, MowerState
from edge_gateway.scheduler.mower_row import is_worth_writing
from edge_gateway.scheduler.records import MowerRecord
from edge_gateway.scheduler.repository import mower_rows
from edge_gateway.scheduler.repository.transactions import connection
from edge_gateway.scheduler.surroundings import Surroundings

_log = structlog.get_logger(__name__)


class MowerWatch:
    """Live subscriptions; nothing that is missed here is lost: decisions read the newest reports themselves."""

    def __init__(self, surroundings: Surroundings) -> None:
        """Work with these."""
        self._surroundings = surroundings
        self._written: dict[str, MowerState] = {}
        self._subscriptions: list[Subscription] = []

    async def start(self) -> None:
        """Listen."""
        for subject, handler in (
            (subjects.ALL_STATES, self._take_state),
            (subjects.ALL_AVAILABILITIES, self._take_availability),
            (subjects.ALL_MAPS, self._take_map),
            (subjects.ALL_OUTCOMES, self._take_outcome),
        ):
            self._subscriptions.append(await self._surroundings.bus.subscribe(subject, handler, acknowledge=False))

    async def stop(self) -> None:
        """Listen no more."""
        for subscription in self._subscriptions:
            await subscription.unsubscribe()
        self._subscriptions.clear()

    async def _take_state(self, envelope: Envelope) -> None:
        state = envelope.decode(MowerState)
        written = self._written.get(state.mower_id)
        if not is_worth_writing(written, state):
            return
        async with connection(self._surroundings.pool) as lent:
            await mower_rows.save_state(lent, state)
        self._written[state.mower_id] = state
        if written is None or written.activity is not state.activity:
            self._surroundings.wake()

    async def _take_availability(self, envelope: Envelope) -> None:
        async with connection(self._surroundings.pool) as lent:
            await mower_rows.save_availability(lent, envelope.decode(MowerAvailability))

    async def _take_map(self, envelope: Envelope) -> None:
        async with connection(self._surroundings.pool) as lent:
            await mower_rows.save_map(lent, envelope.decode(MowerMap))

    async def _take_outcome(self, envelope: Envelope) -> None:
        if envelope.decode(CommandOutcome).status in {CommandStatus.FAILED, CommandStatus.EXPIRED}:
            self._surroundings.wake()


async def refresh(surroundings: Surroundings, mower_id: str, account_id: str) -> MowerRecord:
    """Write the newest reports that the bus has of a mower and return its row; without the bus it stays as it is."""
    bus = surroundings.bus
    state = availability = None
    try:
        state, availability = await asyncio.gather(
            bus.last(subjects.state_subject(mower_id)), bus.last(subjects.availability_subject(mower_id))
        )
    except UnavailableError as error:
        _log.warning("newest reports not to be had", mower=mower_id, code=error.code)
    async with connection(surroundings.pool) as lent:
        row = await mower_rows.get(lent, mower_id, account_id)
        # What is written already is not written again: each write is a commit.
        if state is not None and _is_newer(report := state.decode(MowerState), row):
            await mower_rows.save_state(lent, report)
            row = await mower_rows.get(lent, mower_id, account_id)
        if availability is not None:
            reached = availability.decode(MowerAvailability)
            if row.availability_changed_at is None or reached.changed_at > row.availability_changed_at:
                await mower_rows.save_availability(lent, reached)
                row = await mower_rows.get(lent, mower_id, account_id)
    return row


def _is_newer(report: MowerState, row: MowerRecord) -> bool:
    return not report.backfill and (row.observed_at is None or report.observed_at > row.observed_at)
