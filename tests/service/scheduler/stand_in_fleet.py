"""A Fleet that keeps keys as the design says, and refuses or is silent as a test wants it."""

import asyncio

import msgspec

from edge_gateway.bus.protocol import EventBus, Subscription
from edge_gateway.contracts import routes
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.commands import (
    Command,
    CommandStatus,
    GetCommandRequest,
    IssueCommandReply,
    IssueCommandRequest,
)
from edge_gateway.contracts.errors import ConflictError, ForbiddenError, MowDeckError, NotFoundError
from edge_gateway.contracts.fleet import ResolveTargetReply, ResolveTargetRequest, Site, TargetMower
from edge_gateway.contracts.identifiers import new_id
from edge_gateway.contracts.principals import OWNER, PermissionCheckReply, PermissionCheckRequest, Relation

AREAS = ("area-1", "area-2")


class StandInFleet:
    """Answers the four questions of the Scheduler."""

    def __init__(self, clock: Clock) -> None:
        """Know one site, no mower, and one person who may do everything."""
        self._clock = clock
        self.site = Site(id="home", account_id="home", name="Home", time_zone="Europe/Berlin")
        self.mowers: dict[str, TargetMower] = {}
        self.known = {OWNER}
        self.denied: set[tuple[str, Relation]] = set()
        self.refusal: MowDeckError | None = None
        """What the next orders are refused with."""
        self.answers_seconds = 0.0
        """How long an order takes to be answered; it is taken first."""
        self.asked: list[IssueCommandRequest] = []
        self.commands: dict[tuple[str, str, str], Command] = {}
        self._replies: list[Subscription] = []

    @property
    def starts(self) -> list[Command]:
        """Return the orders that were taken, each once."""
        return list(self.commands.values())

    def add_mower(self, mower_id: str) -> None:
        """Add a mower with a map of two areas."""
        self.mowers[mower_id] = TargetMower(
            mower_id=mower_id, site=self.site, area_ids=AREAS, enabled_area_ids=AREAS, obey_rain=True
        )

    def change_mower(self, mower_id: str, **changes: object) -> None:
        """Change what is known of a mower."""
        self.mowers[mower_id] = msgspec.structs.replace(self.mowers[mower_id], **changes)

    def move_site(self, time_zone: str) -> None:
        """Give the site another zone."""
        self.site = msgspec.structs.replace(self.site, time_zone=time_zone)
        for mower_id in self.mowers:
            self.change_mower(mower_id, site=self.site)

    def end_command(self, status: CommandStatus, reason: str | None = None) -> None:
        """End the last order that was taken."""
        key, command = list(self.commands.items())[-1]
        self.commands[key] = msgspec.structs.replace(
            command, status=status, reason=reason, changed_at=self._clock.now()
        )

    async def start(self, bus: EventBus) -> None:
        """Answer."""
        self._replies = [
            await bus.reply(routes.TARGETS_RESOLVE, self._resolve),
            await bus.reply(routes.PERMISSIONS_CHECK, self._check),
            await bus.reply(routes.COMMANDS_ISSUE, self._issue),
            await bus.reply(routes.COMMANDS_GET, self._get),
        ]

    async def stop(self) -> None:
        """Answer no more."""
        for reply in self._replies:
            await reply.unsubscribe()
        self._replies.clear()

    async def _resolve(self, question: ResolveTargetRequest) -> ResolveTargetReply:
        if question.mower_id not in self.mowers:
            raise NotFoundError("target_gone", "There is no such mower.")
        return ResolveTargetReply(mowers=(self.mowers[question.mower_id],), account_owner=OWNER, default_site=self.site)

    async def _check(self, question: PermissionCheckRequest) -> PermissionCheckReply:
        self._require_known(question.principal)
        allowed = (question.principal, question.relation) not in self.denied
        if not question.mower_ids:
            return PermissionCheckReply(allowed={question.account_id: allowed})
        return PermissionCheckReply(allowed={id_: allowed and id_ in self.mowers for id_ in question.mower_ids})

    async def _issue(self, request: IssueCommandRequest) -> IssueCommandReply:
        self.asked.append(request)
        self._require_known(request.on_behalf_of)
        if (request.on_behalf_of, Relation.CAN_CONTROL) in self.denied:
            raise ForbiddenError("forbidden", "May not.")
        key = (request.on_behalf_of, request.origin, request.key)
        if (stored := self.commands.get(key)) is not None:
            if (stored.mower_id, stored.body) != (request.mower_id, request.command):
                raise ConflictError("key_reused", "Used for another order.")
            return IssueCommandReply(command=stored, repeated=True)
        if self.refusal is not None:
            raise self.refusal
        now = self._clock.now()
        command = Command(
            id=new_id(),
            account_id=request.account_id,
            mower_id=request.mower_id,
            body=request.command,
            key=request.key,
            issued_by=request.on_behalf_of,
            origin=request.origin,
            schedule_id=request.schedule_id,
            issued_at=now,
            status=CommandStatus.ACCEPTED,
            changed_at=now,
        )
        self.commands[key] = command
        await asyncio.sleep(self.answers_seconds)
        return IssueCommandReply(command=command)

    async def _get(self, request: GetCommandRequest) -> Command:
        self._require_known(request.on_behalf_of)
        if request.key is None or request.origin is None:
            raise NotFoundError("not_found", "Not asked for by its key.")
        found = self.commands.get((request.on_behalf_of, request.origin, request.key))
        if found is None:
            raise NotFoundError("not_found", "There is no such command.")
        return found

    def _require_known(self, principal: str) -> None:
        if principal not in self.known:
            raise ForbiddenError("unknown_principal", "Not known.")
