"""What the Scheduler asks Fleet, over the bus. Never asked while a lock is held."""

from edge_gateway.bus.protocol import EventBus
from edge_gateway.contracts import routes
from edge_gateway.contracts.commands import (
    Command,
    CommandBody,
    CommandKind,
    GetCommandRequest,
    IssueCommandRequest,
    StartMode,
)
from edge_gateway.contracts.fleet import ResolveTargetReply, ResolveTargetRequest
from edge_gateway.contracts.principals import PermissionCheckRequest, Relation
from edge_gateway.contracts.schedules import ScheduleDraft, Target
from edge_gateway.scheduler.keys import attempt_key
from edge_gateway.scheduler.records import RunRecord

TIMEOUT_SECONDS = 5.0


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

    async def allowed(
        self, principal: str, relation: Relation, account_id: str, mower_ids: tuple[str, ...] = ()
    ) -> dict[str, bool]:
        """Return what the principal may, by mower, or for the account; raises `ForbiddenError` for one not known."""
        question = PermissionCheckRequest(
            principal=principal, relation=relation, account_id=account_id, mower_ids=mower_ids
        )
        reply = await self._bus.request(routes.PERMISSIONS_CHECK, question, timeout_seconds=self._timeout_seconds)
        return reply.allowed

    async def start(self, run: RunRecord, mower_id: str, draft: ScheduleDraft) -> Command:
        """Order a new job under the run's key; what the schedule does not name stays the mower's own."""
        question = IssueCommandRequest(
            key=attempt_key(run.order_key, run.attempt),
            on_behalf_of=run.owner,
            account_id=run.account_id,
            mower_id=mower_id,
            command=CommandBody(
                kind=CommandKind.START_MOW, mode=StartMode.NEW, area_ids=draft.area_ids, pattern=draft.pattern
            ),
            origin=run.origin,
            schedule_id=run.schedule_id,
        )
        reply = await self._bus.request(routes.COMMANDS_ISSUE, question, timeout_seconds=self._timeout_seconds)
        return reply.command

    async def order_of(self, run: RunRecord) -> Command:
        """Return the order that was taken under the run's key; raises `NotFoundError` when none was."""
        question = GetCommandRequest(
            on_behalf_of=run.owner,
            account_id=run.account_id,
            key=attempt_key(run.order_key, run.attempt),
            origin=run.origin,
        )
        return await self._bus.request(routes.COMMANDS_GET, question, timeout_seconds=self._timeout_seconds)
