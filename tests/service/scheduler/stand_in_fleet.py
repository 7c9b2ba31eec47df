"""A Fleet that keeps keys as the design says, and refuses or is silent as a test wants it."""

import asyncio

import msgspec

from edge_gateway.bus.protocol import EventBus, Subscription
from edge_gateway.bus.waiting import wait_at_most
from edge_gateway.contracts import routes
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.commands import (
    Command,
    CommandBody,
    CommandKind,
    CommandsSinceReply,
    CommandsSinceRequest,
    CommandStatus,
    GetCommandRequest,
    IssueCommandReply,
    IssueCommandRequest,
    StartMode,
)
from edge_gateway.contracts.errors import ConflictError, DeadlineError, ForbiddenError, MowDeckError, NotFoundError
from edge_gateway.contracts.fleet import (
    Asking,
    ListSitesReply,
    ResolveTargetReply,
    ResolveTargetRequest,
    Site,
    TargetMower,
)
from edge_gateway.contracts.grants import GonePrincipal, GonePrincipalsReply, GonePrincipalsRequest
from edge_gateway.contracts.groups import Group, ListGroupsReply
from edge_gateway.contracts.identifiers import new_id
from edge_gateway.contracts.principals import OWNER, Origin, PermissionCheckReply, PermissionCheckRequest, Relation

AREAS = ("area-1", "area-2")


class StandInFleet:
    """Answers the questions of the Scheduler."""

    def __init__(self, clock: Clock) -> None:
        """Know one site, no mower, and one person who may do everything."""
        self._clock = clock
        self.site = Site(id="home", account_id="home", name="Home", time_zone="Europe/Berlin")
        self.mowers: dict[str, TargetMower] = {}
        self.groups: dict[str, Group] = {}
        self.others: list[Command] = []
        """What persons ordered, newest first."""
        self.known = {OWNER}
        self.account_owner = OWNER
        self.denied: set[tuple[str, Relation]] = set()
        self.refusal: MowDeckError | None = None
        """What the next orders are refused with."""
        self.answers_seconds = 0.0
        """How long an order takes to be answered; it is taken first."""
        self.loses_answers = False
        """Orders are taken, and nobody hears of it."""
        self._leaves = asyncio.Event()
        self.asked: list[IssueCommandRequest] = []
        self.commands: dict[tuple[str, str, str], Command] = {}
        self._replies: list[Subscription] = []

    @property
    def starts(self) -> list[Command]:
        """Return the starts of new jobs that were taken, each once."""
        return [command for command in self.commands.values() if command.body.mode is StartMode.NEW]

    @property
    def follow_ups(self) -> list[Command]:
        """Return the other orders that were taken, each once."""
        return [command for command in self.commands.values() if command.body.mode is not StartMode.NEW]

    def add_mower(self, mower_id: str) -> None:
        """Add a mower with a map of two areas."""
        self.mowers[mower_id] = TargetMower(
            mower_id=mower_id, site=self.site, area_ids=AREAS, enabled_area_ids=AREAS, obey_rain=True
        )

    def add_group(self, group_id: str, *mower_ids: str, max_concurrent: int | None = None) -> None:
        """Make or change a group."""
        self.groups[group_id] = Group(
            id=group_id,
            account_id="home",
            name=group_id,
            mower_ids=tuple(sorted(mower_ids)),
            max_concurrent=max_concurrent,
        )

    def order_by_person(self, kind: CommandKind, mower_id: str) -> Command:
        """Have a person order something from a dashboard."""
        now = self._clock.now()
        command = Command(
            id=new_id(),
            account_id="home",
            mower_id=mower_id,
            body=CommandBody(kind=kind),
            key=new_id(),
            issued_by=OWNER,
            origin=Origin.DASHBOARD,
            issued_at=now,
            status=CommandStatus.CONFIRMED,
            changed_at=now,
        )
        self.others.insert(0, command)
        return command

    def change_mower(self, mower_id: str, **changes: object) -> None:
        """Change what is known of a mower."""
        self.mowers[mower_id] = msgspec.structs.replace(self.mowers[mower_id], **changes)

    def move_site(self, time_zone: str) -> None:
        """Give the site another zone."""
        self.site = msgspec.structs.replace(self.site, time_zone=time_zone)
        for mower_id in self.mowers:
            self.change_mower(mower_id, site=self.site)

    def change_site(self, **changes: object) -> None:
        """Change the site of all mowers."""
        self.site = msgspec.structs.replace(self.site, **changes)
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
        self._leaves.clear()
        self._replies = [
            await bus.reply(routes.TARGETS_RESOLVE, self._resolve),
            await bus.reply(routes.SITES_LIST, self._sites),
            await bus.reply(routes.PERMISSIONS_CHECK, self._check),
            await bus.reply(routes.PRINCIPALS_GONE, self._gone),
            await bus.reply(routes.COMMANDS_ISSUE, self._issue),
            await bus.reply(routes.COMMANDS_GET, self._get),
            await bus.reply(routes.COMMANDS_SINCE, self._since),
            await bus.reply(routes.GROUPS_LIST, self._list_groups),
        ]

    async def stop(self) -> None:
        """Answer no more, what is in hand at once."""
        self._leaves.set()
        for reply in self._replies:
            await reply.unsubscribe()
        self._replies.clear()

    async def _resolve(self, question: ResolveTargetRequest) -> ResolveTargetReply:
        group = None if question.group_id is None else self.groups.get(question.group_id)
        wanted = (question.mower_id,) if group is None else group.mower_ids
        mowers = tuple(self.mowers[mower_id] for mower_id in wanted if mower_id in self.mowers)
        if not mowers:
            raise NotFoundError("target_gone", "There is no such mower or group.")
        return ResolveTargetReply(
            mowers=mowers,
            account_owner=self.account_owner,
            default_site=self.site,
            max_concurrent=None if group is None else group.max_concurrent,
        )

    async def _list_groups(self, _question: Asking) -> ListGroupsReply:
        return ListGroupsReply(items=tuple(self.groups.values()))

    async def _since(self, question: CommandsSinceRequest) -> CommandsSinceReply:
        found = [*self.others, *reversed(self.commands.values())]
        ours = (one for one in found if one.mower_id == question.mower_id and one.issued_at >= question.since)
        return CommandsSinceReply(items=tuple(sorted(ours, key=lambda one: one.issued_at, reverse=True)))

    async def _sites(self, question: Asking) -> ListSitesReply:
        self._require_known(question.on_behalf_of)
        return ListSitesReply(items=(self.site,))

    async def _gone(self, question: GonePrincipalsRequest) -> GonePrincipalsReply:
        gone = sorted(set(question.principals) - self.known)
        return GonePrincipalsReply(items=tuple(GonePrincipal(id=principal) for principal in gone))

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
        if self.loses_answers:
            raise DeadlineError("no_answer", "The answer did not come.")
        await wait_at_most(self._leaves, self.answers_seconds)
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
