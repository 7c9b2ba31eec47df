"""Making a schedule."""

import hashlib
from datetime import datetime

import msgspec

from edge_gateway.contracts.errors import ConflictError, InvalidError, NotFoundError
from edge_gateway.contracts.fleet import ResolveTargetReply
from edge_gateway.contracts.identifiers import new_id
from edge_gateway.contracts.schedules import CreateScheduleRequest, Schedule, ScheduleDraft, Target
from edge_gateway.scheduler import recording, rights, schedule_rules
from edge_gateway.scheduler.plan import next_run, plan_of
from edge_gateway.scheduler.reading import with_last_run
from edge_gateway.scheduler.records import ScheduleRecord
from edge_gateway.scheduler.repository import schedules
from edge_gateway.scheduler.repository.transactions import connection, transaction
from edge_gateway.scheduler.surroundings import Surroundings
from edge_gateway.scheduler.targets import field_of, zone_of

LONGEST_KEY = 255


def check_key(key: str) -> None:
    """Raise `InvalidError` for an idempotency key that cannot be kept."""
    if not 1 <= len(key) <= LONGEST_KEY or not key.isprintable():
        raise InvalidError("invalid", f"A key has 1 to {LONGEST_KEY} printable characters.", field="key")


async def resolved(surroundings: Surroundings, account_id: str, target: Target) -> ResolveTargetReply:
    """Return what Fleet knows of a target; raises `InvalidError` naming the field when it is not there."""
    try:
        return await surroundings.fleet.resolve(account_id, target)
    except NotFoundError as error:
        raise InvalidError("invalid", "There is no such mower or group.", field=field_of(target)) from error


def check_ever_due(draft: ScheduleDraft, time_zone: str, now: datetime) -> None:
    """Raise `InvalidError` for a plan that has no occurrence left: it would never do anything."""
    if next_run(plan_of(draft, time_zone), now) is None:
        raise InvalidError(
            "never_due",
            "This plan has no occurrence left.",
            field="recurrence",
            remedy="Choose a time to come, within the first and the last day.",
        )


class Creating:
    """Makes schedules; a known key answers with the schedule that it made."""

    def __init__(self, surroundings: Surroundings) -> None:
        """Work with these."""
        self._surroundings = surroundings
        self._rights = rights.Rights(surroundings.fleet)

    async def create(self, request: CreateScheduleRequest) -> Schedule:
        """Answer `scheduler.schedules.create`."""
        principal, draft = request.on_behalf_of, request.draft
        if request.key is not None:
            check_key(request.key)
        schedule_rules.check(draft)
        await self._rights.require(principal, request.account_id, draft.target, rights.EDIT)
        digest = hashlib.sha256(msgspec.json.encode(draft)).digest()
        if (known := await self._known(request, digest)) is not None:
            return await with_last_run(self._surroundings, known)
        target = await resolved(self._surroundings, request.account_id, draft.target)
        schedule_rules.check_on_map(draft.area_ids, target.mowers[0].area_ids)
        now = self._surroundings.now()
        time_zone = draft.time_zone or zone_of(target)
        check_ever_due(draft, time_zone, now)
        made = ScheduleRecord(
            id=new_id(),
            account_id=request.account_id,
            owner=principal,
            draft=draft,
            effective_time_zone=time_zone,
            computed_at=now,
            created_by=principal,
            creation_key=request.key,
            creation_digest=digest,
            created_at=now,
            changed_at=now,
        )
        made = made.with_next_run(next_run(made.plan, now) if draft.enabled else None, now=now)
        async with transaction(self._surroundings.pool) as lent:
            stored = await schedules.insert(lent, made)
            if stored:
                await recording.tell_schedule(lent, made, now)
        if not stored and (known := await self._known(request, digest)) is not None:
            return await with_last_run(self._surroundings, known)
        self._surroundings.wake()
        return made.shown(None)

    async def _known(self, request: CreateScheduleRequest, digest: bytes) -> ScheduleRecord | None:
        if request.key is None:
            return None
        async with connection(self._surroundings.pool) as lent:
            known = await schedules.by_creation_key(lent, request.account_id, request.on_behalf_of, request.key)
        if known is not None and known.creation_digest != digest:
            raise ConflictError(
                "key_reused",
                "This key was used for another schedule before.",
                field="key",
                remedy="Give every schedule a key of its own; repeat a key only with the very same schedule.",
            )
        return known
