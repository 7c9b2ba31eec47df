"""Giving an order to a mower whose run is under way, outside any lock, and writing whether Fleet took it."""

import msgspec
import structlog

from edge_gateway.contracts.commands import CommandStatus
from edge_gateway.contracts.errors import ForbiddenError, MowDeckError, NotFoundError
from edge_gateway.scheduler import runs
from edge_gateway.scheduler.records import FollowUpRecord, RunRecord
from edge_gateway.scheduler.refusals import refusal_of
from edge_gateway.scheduler.repository import follow_ups
from edge_gateway.scheduler.repository import runs as run_rows
from edge_gateway.scheduler.repository.transactions import transaction
from edge_gateway.scheduler.surroundings import Surroundings
from edge_gateway.scheduler.verdicts import End

_log = structlog.get_logger(__name__)


class Sending:
    """Asks Fleet once per key; a repeated key answers with the stored command."""

    def __init__(self, surroundings: Surroundings) -> None:
        """Work with these."""
        self._surroundings = surroundings

    async def give(self, run: RunRecord, order: FollowUpRecord, account_owner: str) -> None:
        """Give an order that is written, for who started the run; for the account's owner if that lost the right."""
        given = await self._ask(run, order)
        if given is None:
            given = await self._ask(run, msgspec.structs.replace(order, issued_by=account_owner))
        if given is None:
            given = self._failed(order, "forbidden")
        _log.info("order of a run under way", run=run.id, cause=order.cause, status=given.status, reason=given.reason)
        async with transaction(self._surroundings.pool) as lent:
            if await run_rows.lock(lent, run.id) is not None:
                await follow_ups.put(lent, given)

    async def _ask(self, run: RunRecord, order: FollowUpRecord) -> FollowUpRecord | None:
        """Return the order as it stands then; None when its principal may not give it."""
        try:
            command = await self._surroundings.fleet.follow_up(run, order)
        except ForbiddenError, NotFoundError:
            return None
        except MowDeckError as error:
            if isinstance(refusal_of(error), End):
                return self._failed(order, error.code)
            # Nothing was taken, or nobody knows: it is asked again under the same key.
            refusals = order.refusals + 1
            again = self._surroundings.now() + runs.retry_after(refusals)
            return msgspec.structs.replace(order, reason=error.code, refusals=refusals, look_again_at=again)
        return msgspec.structs.replace(order, command_id=command.id, status=command.status, reason=command.reason)

    def _failed(self, order: FollowUpRecord, reason: str) -> FollowUpRecord:
        again = self._surroundings.now() + runs.retry_after(order.attempt)
        return msgspec.structs.replace(order, status=CommandStatus.FAILED, reason=reason, look_again_at=again)
