"""Who may see, change and run a schedule, as Fleet says. A service never acts for itself here."""

from edge_gateway.contracts.errors import ForbiddenError, InvalidError, NotFoundError
from edge_gateway.contracts.principals import Relation, is_service
from edge_gateway.contracts.schedules import Target
from edge_gateway.scheduler.fleet_questions import FleetQuestions
from edge_gateway.scheduler.records import RunRecord, ScheduleRecord
from edge_gateway.scheduler.targets import field_of

EDIT = (Relation.CAN_EDIT_SCHEDULE, Relation.CAN_CONTROL)
"""What making and changing a schedule needs on its target."""

RUN = (Relation.CAN_CONTROL,)


def refuse_services(principal: str) -> None:
    """Raise `ForbiddenError` for a service: who makes a schedule is answerable for what moves."""
    if is_service(principal):
        raise ForbiddenError(
            "service_principal",
            "Schedules act for a person; a service cannot have one.",
            field="on_behalf_of",
            remedy="Act for a user.",
        )


class Rights:
    """Asks Fleet whether a principal may."""

    def __init__(self, fleet: FleetQuestions) -> None:
        """Ask this Fleet."""
        self._fleet = fleet

    async def require(self, principal: str, account_id: str, target: Target, relations: tuple[Relation, ...]) -> None:
        """Raise `ForbiddenError` for a target that is seen, `InvalidError` naming the field for one that is not.

        A group needs the right on each of its mowers.
        """
        refuse_services(principal)
        mower_ids = await self._mowers_of(account_id, target)
        for relation in relations:
            if not await self._may(principal, relation, account_id, mower_ids):
                if not await self._may(principal, Relation.CAN_VIEW, account_id, mower_ids):
                    raise InvalidError("invalid", "There is no such mower or group.", field=field_of(target))
                raise ForbiddenError(
                    "forbidden",
                    f"{principal} may not do this with this target.",
                    field="on_behalf_of",
                    values={"relation": relation},
                )

    async def require_of_stored(self, principal: str, record: ScheduleRecord, relations: tuple[Relation, ...]) -> None:
        """Raise `ForbiddenError`, or `NotFoundError` for a schedule that is not seen.

        A schedule whose target is gone stays in the hands of its owner and of whoever may on the whole account.
        """
        refuse_services(principal)
        mower_ids = await self._mowers_of(record.account_id, record.draft.target)
        for relation in relations:
            if await self._may(principal, relation, record.account_id, mower_ids):
                continue
            if not await self._may(principal, Relation.CAN_VIEW, record.account_id, mower_ids):
                if await self._has_it_without_its_target(principal, record, relation):
                    continue
                raise not_found()
            raise ForbiddenError(
                "forbidden",
                f"{principal} may not do this with this schedule.",
                field="on_behalf_of",
                values={"relation": relation},
            )

    async def seen(self, principal: str, account_id: str, records: list[ScheduleRecord]) -> list[ScheduleRecord]:
        """Return those of an account's schedules that the principal sees: its own, and those of mowers that it sees."""
        targets = {record.draft.target for record in records if record.owner != principal}
        # A target that is gone is seen by whoever sees the whole account: no mower has the id "".
        mowers_of = {target: await self._mowers_of(account_id, target) or ("",) for target in targets}
        mower_ids = {mower_id for members in mowers_of.values() for mower_id in members}
        allowed = await self._seen_mowers(principal, account_id, mower_ids)
        return [
            record
            for record in records
            if record.owner == principal or not allowed.isdisjoint(mowers_of[record.draft.target])
        ]

    async def seen_runs(self, principal: str, account_id: str, found: list[RunRecord]) -> list[RunRecord]:
        """Return those of an account's runs that the principal sees: its own, and those of mowers that it sees."""
        others = {run.mower_id or "" for run in found if run.owner != principal}
        allowed = await self._seen_mowers(principal, account_id, others)
        return [run for run in found if run.owner == principal or (run.mower_id or "") in allowed]

    async def _seen_mowers(self, principal: str, account_id: str, mower_ids: set[str]) -> set[str]:
        """Return the mowers that are seen; one that is gone is seen by whoever sees the whole account."""
        if not mower_ids:
            # Asked all the same: a principal that nobody knows must hear so.
            await self._whole_account(principal, Relation.CAN_VIEW, account_id)
            return set()
        answered = await self._fleet.allowed(principal, Relation.CAN_VIEW, account_id, tuple(sorted(mower_ids)))
        seen = {mower_id for mower_id, allowed in answered.items() if allowed}
        if seen != mower_ids and await self._whole_account(principal, Relation.CAN_VIEW, account_id):
            return mower_ids
        return seen

    async def _may(self, principal: str, relation: Relation, account_id: str, mower_ids: tuple[str, ...]) -> bool:
        """Tell whether the principal may do it with all of these; with none of them it may not."""
        if not mower_ids:
            return False
        allowed = await self._fleet.allowed(principal, relation, account_id, mower_ids)
        return all(allowed.get(mower_id, False) for mower_id in mower_ids)

    async def _mowers_of(self, account_id: str, target: Target) -> tuple[str, ...]:
        """Return the ids of a target's mowers, of a single one without asking; none of a group that is gone."""
        if target.mower_id is not None:
            return (target.mower_id,)
        try:
            reply = await self._fleet.resolve(account_id, target)
        except NotFoundError:
            return ()
        return tuple(mower.mower_id for mower in reply.mowers)

    async def _whole_account(self, principal: str, relation: Relation, account_id: str) -> bool:
        return (await self._fleet.allowed(principal, relation, account_id)).get(account_id, False)

    async def _has_it_without_its_target(self, principal: str, record: ScheduleRecord, relation: Relation) -> bool:
        try:
            await self._fleet.resolve(record.account_id, record.draft.target)
        except NotFoundError:
            return record.owner == principal or await self._whole_account(principal, relation, record.account_id)
        return False


def not_found() -> NotFoundError:
    """Return the error for a schedule that is not there or not seen."""
    return NotFoundError("not_found", "There is no such schedule.", field="schedule_id")
