"""Who may see, change and run a schedule, as Fleet says. A service never acts for itself here."""

from edge_gateway.contracts.errors import ForbiddenError, InvalidError, NotFoundError
from edge_gateway.contracts.principals import Relation
from edge_gateway.scheduler.fleet_questions import FleetQuestions
from edge_gateway.scheduler.records import RunRecord, ScheduleRecord

EDIT = (Relation.CAN_EDIT_SCHEDULE, Relation.CAN_CONTROL)
"""What making and changing a schedule needs on its target."""

RUN = (Relation.CAN_CONTROL,)

_SERVICE = "service:"


def refuse_services(principal: str) -> None:
    """Raise `ForbiddenError` for a service: who makes a schedule is answerable for what moves."""
    if principal.startswith(_SERVICE):
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

    async def require(
        self, principal: str, account_id: str, mower_id: str, relations: tuple[Relation, ...], *, field: str
    ) -> None:
        """Raise `ForbiddenError` for a mower that is seen, `InvalidError` naming the field for one that is not."""
        refuse_services(principal)
        for relation in relations:
            if not await self._may(principal, relation, account_id, mower_id):
                if not await self._may(principal, Relation.CAN_VIEW, account_id, mower_id):
                    raise InvalidError("invalid", "There is no such mower.", field=field)
                raise ForbiddenError(
                    "forbidden",
                    f"{principal} may not do this with this mower.",
                    field="on_behalf_of",
                    values={"relation": relation},
                )

    async def require_of_stored(self, principal: str, record: ScheduleRecord, relations: tuple[Relation, ...]) -> None:
        """Raise `ForbiddenError`, or `NotFoundError` for a schedule that is not seen.

        A schedule whose mower is gone stays in the hands of its owner and of whoever may on the whole account.
        """
        refuse_services(principal)
        mower_id = record.draft.target.mower_id or ""
        for relation in relations:
            if await self._may(principal, relation, record.account_id, mower_id):
                continue
            if not await self._may(principal, Relation.CAN_VIEW, record.account_id, mower_id):
                if await self._has_it_without_its_mower(principal, record, relation):
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
        others = {record.draft.target.mower_id or "" for record in records if record.owner != principal}
        allowed = await self._seen_mowers(principal, account_id, others)
        return [record for record in records if record.owner == principal or record.draft.target.mower_id in allowed]

    async def seen_runs(self, principal: str, account_id: str, found: list[RunRecord]) -> list[RunRecord]:
        """Return those of an account's runs that the principal sees: its own, and those of mowers that it sees."""
        others = {run.mower_id or "" for run in found if run.owner != principal}
        allowed = await self._seen_mowers(principal, account_id, others)
        return [run for run in found if run.owner == principal or (run.mower_id or "") in allowed]

    async def _seen_mowers(self, principal: str, account_id: str, mower_ids: set[str]) -> set[str]:
        """Return the mowers that are seen; one that is gone is seen by whoever sees the whole account."""
        if not mower_ids:
            return set()
        answered = await self._fleet.allowed(principal, Relation.CAN_VIEW, account_id, tuple(sorted(mower_ids)))
        seen = {mower_id for mower_id, allowed in answered.items() if allowed}
        if seen != mower_ids and await self._whole_account(principal, Relation.CAN_VIEW, account_id):
            return mower_ids
        return seen

    async def _may(self, principal: str, relation: Relation, account_id: str, mower_id: str) -> bool:
        return (await self._fleet.allowed(principal, relation, account_id, (mower_id,))).get(mower_id, False)

    async def _whole_account(self, principal: str, relation: Relation, account_id: str) -> bool:
        return (await self._fleet.allowed(principal, relation, account_id)).get(account_id, False)

    async def _has_it_without_its_mower(self, principal: str, record: ScheduleRecord, relation: Relation) -> bool:
        try:
            await self._fleet.resolve(record.account_id, record.draft.target)
        except NotFoundError:
            return record.owner == principal or await self._whole_account(principal, relation, record.account_id)
        return False


def not_found() -> NotFoundError:
    """Return the error for a schedule that is not there or not seen."""
    return NotFoundError("not_found", "There is no such schedule.", field="schedule_id")
