"""What the Scheduler asks Fleet, over the bus. Never asked while a lock is held."""

from datetime import datetime, timedelta
from typing import Any

from edge_gateway.bus.protocol import EventBus
from edge_gateway.contracts import routes
from edge_gateway.contracts.commands import (
    Command,
    CommandBody,
    CommandKind,
    CommandsSinceRequest,
    GetCommandRequest,
    IssueCommandRequest,
    StartMode,
)
from edge_gateway.contracts.errors import ForbiddenError, NotFoundError
from edge_gateway.contracts.fleet import Asking, ResolveTargetReply, ResolveTargetRequest, Site
from edge_gateway.contracts.grants import GonePrincipal, GonePrincipalsRequest
from edge_gateway.contracts.groups import Group
from edge_gateway.contracts.principals import OWNER, Origin, PermissionCheckRequest, Relation
from edge_gateway.contracts.schedules import Target
from edge_gateway.scheduler.follow_up import order_key
from edge_gateway.scheduler.keys import attempt_key
from edge_gateway.scheduler.records import FollowUpRecord, RunRecord

TIMEOUT_SECONDS = 5.0
_COMMANDS = 200
"""As many as a run and a person give one mower before it is home again."""

_CLOCKS_DIFFER_BY = timedelta(minutes=1)


class FleetQuestions:
    """Asks Fleet; every question raises Fleet's own error, `no_responder`, `no_answer` or `bus_unavailable`."""

    def __init__(self, bus: EventBus, *, timeout_seconds: float = TIMEOUT_SECONDS) -> None:
        """Ask over this bus, and wait so long for each answer."""
        self._bus = bus
        self._timeout_seconds = timeout_seconds

    async def resolve(self, account_id: str, target: Target) -> ResolveTargetReply:
        """Return a target's mowers and sites; raises `NotFoundError` (`target_gone`)."""
        question = ResolveTargetRequest(account_id=account_id, mower_id=target.mower_id, group_id=target.group_id)
        return await self._bus.request(routes.TARGETS_RESOLVE, question, timeout_seconds=self._timeout_seconds)

    async def groups(self, principal: str, account_id: str) -> tuple[Group, ...]:
        """Return the groups that a principal sees."""
        question = Asking(on_behalf_of=principal, account_id=account_id)
        reply = await self._bus.request(routes.GROUPS_LIST, question, timeout_seconds=self._timeout_seconds)
        return reply.items

    async def allowed(
        self, principal: str, relation: Relation, account_id: str, mower_ids: tuple[str, ...] = ()
    ) -> dict[str, bool]:
        """Return what the principal may, by mower, or for the account; raises `ForbiddenError` for one not known."""
        question = PermissionCheckRequest(
            principal=principal, relation=relation, account_id=account_id, mower_ids=mower_ids
        )
        reply = await self._bus.request(routes.PERMISSIONS_CHECK, question, timeout_seconds=self._timeout_seconds)
        return reply.allowed

    async def gone(self, account_id: str, principals: tuple[str, ...]) -> tuple[GonePrincipal, ...]:
        """Return those of the principals whom nobody knows."""
        question = GonePrincipalsRequest(account_id=account_id, principals=principals)
        reply = await self._bus.request(routes.PRINCIPALS_GONE, question, timeout_seconds=self._timeout_seconds)
        return reply.items

    async def sites(self, principal: str, account_id: str) -> tuple[Site, ...]:
        """Return the sites of an account."""
        question = Asking(on_behalf_of=principal, account_id=account_id)
        reply = await self._bus.request(routes.SITES_LIST, question, timeout_seconds=self._timeout_seconds)
        return reply.items

    async def start(
        self, run: RunRecord, mower_id: str, area_ids: tuple[str, ...] | None, pattern: dict[str, Any] | None
    ) -> Command:
        """Order a new job under the run's key; what the schedule does not name stays the mower's own."""
        question = IssueCommandRequest(
            key=attempt_key(run.order_key, run.attempt),
            on_behalf_of=run.owner,
            account_id=run.account_id,
            mower_id=mower_id,
            command=CommandBody(kind=CommandKind.START_MOW, mode=StartMode.NEW, area_ids=area_ids, pattern=pattern),
            origin=run.origin,
            schedule_id=run.schedule_id,
        )
        reply = await self._bus.request(routes.COMMANDS_ISSUE, question, timeout_seconds=self._timeout_seconds)
        return reply.command

    async def follow_up(self, run: RunRecord, order: FollowUpRecord) -> Command:
        """Order something of the mower of a run that is under way, under the order's own key."""
        resumes = order.kind is CommandKind.START_MOW
        question = IssueCommandRequest(
            key=order_key(order),
            on_behalf_of=order.issued_by,
            account_id=run.account_id,
            mower_id=run.mower_id or "",
            command=CommandBody(kind=order.kind, mode=StartMode.RESUME if resumes else StartMode.AUTO),
            origin=Origin.SCHEDULER,
            schedule_id=run.schedule_id,
        )
        reply = await self._bus.request(routes.COMMANDS_ISSUE, question, timeout_seconds=self._timeout_seconds)
        return reply.command

    async def commands_since(self, account_id: str, mower_id: str, since: datetime) -> tuple[Command, ...]:
        """Return what was ordered of a mower since a moment, newest first."""
        question = CommandsSinceRequest(account_id=account_id, mower_id=mower_id, since=since, limit=_COMMANDS)
        reply = await self._bus.request(routes.COMMANDS_SINCE, question, timeout_seconds=self._timeout_seconds)
        return reply.items

    async def order_of(self, run: RunRecord) -> Command:
        """Return the order that was taken under the run's key; raises `NotFoundError` when none was."""
        question = GetCommandRequest(
            on_behalf_of=run.owner,
            account_id=run.account_id,
            key=attempt_key(run.order_key, run.attempt),
            origin=run.origin,
        )
        try:
            return await self._bus.request(routes.COMMANDS_GET, question, timeout_seconds=self._timeout_seconds)
        except ForbiddenError:
            # Its owner is not known any more; what was ordered in its name is still to be followed.
            return await self._among_all(run, question)
        except NotFoundError:
            if run.owner == OWNER:
                raise
            # The run may have passed to its owner since: then it was ordered in the name of the one before.
            return await self._among_all(run, question)

    async def _among_all(self, run: RunRecord, wanted: GetCommandRequest) -> Command:
        since = (run.asked_at or run.created_at) - _CLOCKS_DIFFER_BY
        for command in await self.commands_since(run.account_id, run.mower_id or "", since):
            is_wanted = (command.key, command.origin) == (wanted.key, wanted.origin)
            if is_wanted and command.issued_by in (wanted.on_behalf_of, OWNER):
                return command
        raise NotFoundError("not_found", "There is no such command.", field="key")
