"""Owners of schedules: passing them on when a house makes itself known, and telling of those who are gone."""

from collections.abc import Sequence

import structlog

from edge_gateway.bus.protocol import Subscription
from edge_gateway.contracts import subjects
from edge_gateway.contracts.envelope import Envelope
from edge_gateway.contracts.fleet import Asking
from edge_gateway.contracts.grants import GonePrincipal, GrantsChanged, OwnerGone, OwnersGoneReply
from edge_gateway.contracts.schedules import NamedSchedule
from edge_gateway.scheduler import recording
from edge_gateway.scheduler.records import ScheduleRecord
from edge_gateway.scheduler.repository import owned, schedules
from edge_gateway.scheduler.repository.transactions import connection, transaction
from edge_gateway.scheduler.rights import Rights
from edge_gateway.scheduler.surroundings import Surroundings

_log = structlog.get_logger(__name__)


class Owners:
    """Hears of principals. What it raises (a lock, a database that is away) is delivered again."""

    def __init__(self, surroundings: Surroundings) -> None:
        """Work with these."""
        self._surroundings = surroundings
        self._rights = Rights(surroundings.fleet)
        self._subscription: Subscription | None = None

    async def start(self) -> None:
        """Listen, as one among the replicas."""
        durable = "scheduler-grants-changed"
        self._subscription = await self._surroundings.bus.subscribe(
            subjects.GRANTS_CHANGED, self._grants_changed, durable=durable, queue=durable
        )

    async def stop(self) -> None:
        """Settle what is in hand."""
        if self._subscription is not None:
            await self._subscription.unsubscribe()

    async def gone(self, request: Asking) -> OwnersGoneReply:
        """Answer `scheduler.owners.gone`."""
        account_id = request.account_id
        async with connection(self._surroundings.pool) as lent:
            owners = await owned.owners_of_enabled(lent, account_id)
        gone = await self._surroundings.fleet.gone(account_id, owners) if owners else ()
        async with connection(self._surroundings.pool) as lent:
            found = await schedules.enabled_of(lent, account_id, [principal.id for principal in gone])
        seen = await self._rights.seen(request.on_behalf_of, account_id, found)
        return OwnersGoneReply(items=tuple(_told(principal, seen) for principal in gone if _owns(principal, seen)))

    async def _grants_changed(self, envelope: Envelope) -> None:
        change = envelope.decode(GrantsChanged)
        if change.passes_from is None:
            return
        now = self._surroundings.now()
        async with transaction(self._surroundings.pool) as lent:
            passed = await owned.pass_schedules_on(lent, envelope.account_id, change.passes_from, change.owner, now)
            runs = await owned.pass_open_runs_on(lent, envelope.account_id, change.passes_from, change.owner)
            for schedule_id in passed:
                await recording.tell_schedule_changed(lent, schedule_id, envelope.account_id, now)
        _log.info("schedules passed on", to=change.owner, schedules=len(passed), open_runs=runs)


def _owns(principal: GonePrincipal, records: Sequence[ScheduleRecord]) -> bool:
    return any(record.owner == principal.id for record in records)


def _told(principal: GonePrincipal, records: Sequence[ScheduleRecord]) -> OwnerGone:
    mine = (record for record in records if record.owner == principal.id)
    named = [NamedSchedule(id=record.id, name=record.draft.name) for record in mine]
    return OwnerGone(
        principal=principal.id,
        name=principal.name,
        gone_at=principal.gone_at,
        schedules=tuple(sorted(named, key=lambda schedule: (schedule.name, schedule.id))),
    )
