"""Moving next runs at once when a site gets another time zone, a mower another site, or a group other mowers."""

import structlog

from edge_gateway.bus.protocol import Subscription
from edge_gateway.contracts import subjects
from edge_gateway.contracts.envelope import Envelope
from edge_gateway.contracts.errors import NotFoundError
from edge_gateway.contracts.fleet import MowerChanged
from edge_gateway.contracts.groups import GroupChanged
from edge_gateway.contracts.schedules import Target
from edge_gateway.scheduler import edits, recording
from edge_gateway.scheduler.claiming import claim
from edge_gateway.scheduler.records import ScheduleRecord
from edge_gateway.scheduler.repository import mower_rows, schedules
from edge_gateway.scheduler.repository.transactions import connection, transaction
from edge_gateway.scheduler.surroundings import Surroundings
from edge_gateway.scheduler.targets import zone_of

_log = structlog.get_logger(__name__)


class Zones:
    """Hears of sites and mowers that changed. What it raises (Fleet silent, a lock) is delivered again."""

    def __init__(self, surroundings: Surroundings) -> None:
        """Work with these."""
        self._surroundings = surroundings
        self._subscriptions: list[Subscription] = []

    async def start(self) -> None:
        """Listen, as one among the replicas."""
        for subject, handler, durable in (
            (subjects.SITE_CHANGED, self._site_changed, "scheduler-site-changed"),
            (subjects.MOWER_CHANGED, self._mower_changed, "scheduler-mower-changed"),
            (subjects.GROUP_CHANGED, self._group_changed, "scheduler-group-changed"),
        ):
            self._subscriptions.append(
                await self._surroundings.bus.subscribe(subject, handler, durable=durable, queue=durable)
            )

    async def stop(self) -> None:
        """Settle what is in hand."""
        for subscription in self._subscriptions:
            await subscription.unsubscribe()
        self._subscriptions.clear()

    async def _site_changed(self, _envelope: Envelope) -> None:
        async with connection(self._surroundings.pool) as lent:
            found = await schedules.touched_by(lent)
        await self._look_at(found)

    async def _mower_changed(self, envelope: Envelope) -> None:
        change = envelope.decode(MowerChanged)
        async with connection(self._surroundings.pool) as lent:
            if change.removed:
                await mower_rows.delete(lent, change.mower_id)
                return
            found = await schedules.touched_by(lent, mower_id=change.mower_id)
        await self._look_at(found)

    async def _group_changed(self, envelope: Envelope) -> None:
        change = envelope.decode(GroupChanged)
        if change.removed:
            return
        async with connection(self._surroundings.pool) as lent:
            found = await schedules.touched_by(lent, group_id=change.group_id)
        await self._look_at(found)

    async def _look_at(self, found: list[ScheduleRecord]) -> None:
        zones: dict[Target, str | None] = {}
        for record in found:
            target = record.draft.target
            if record.draft.time_zone is not None:
                continue
            if target not in zones:
                zones[target] = await self._zone_of(record)
            zone = zones[target]
            if zone is not None and zone != record.effective_time_zone:
                await self._move(record, zone)

    async def _zone_of(self, record: ScheduleRecord) -> str | None:
        """Return the zone whose wall clock a target follows; null for one that is gone (its next firing says so)."""
        try:
            reply = await self._surroundings.fleet.resolve(record.account_id, record.draft.target)
        except NotFoundError:
            return None
        return zone_of(reply)

    async def _move(self, found: ScheduleRecord, zone: str) -> None:
        now = self._surroundings.now()
        async with transaction(self._surroundings.pool) as lent:
            record = await schedules.lock(lent, found.id)
            if record is None or record.draft.time_zone is not None or record.effective_time_zone == zone:
                return
            moved = edits.in_another_zone(await claim(lent, record, now), zone, now)
            await schedules.update(lent, moved)
            await recording.tell_schedule(lent, moved, now)
        _log.info("schedule moved to another zone", schedule=found.id, zone=zone)
        self._surroundings.wake()
