"""The one place where orders are checked, recorded, published and counted (design, Orders)."""

import asyncio
from datetime import timedelta

import structlog

from edge_gateway.bus import outbox
from edge_gateway.bus.protocol import EventBus
from edge_gateway.contracts import subjects
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.commands import (
    MOTION_EXPIRES_SECONDS,
    ORDER_EXPIRES_SECONDS,
    Command,
    CommandOutcome,
    CommandStatus,
    GetCommandRequest,
    IssueCommandReply,
    IssueCommandRequest,
    with_outcome,
)
from edge_gateway.contracts.errors import (
    DeadlineError,
    InvalidError,
    MowDeckError,
    NotFoundError,
    UnavailableError,
)
from edge_gateway.contracts.identifiers import new_id
from edge_gateway.contracts.principals import Relation
from edge_gateway.database.absence import explained
from edge_gateway.database.pools import Pool
from edge_gateway.fleet import events, metrics, order_rules
from edge_gateway.fleet.repository import Connection, areas, commands, mowers
from edge_gateway.fleet.rights import Rights

_log = structlog.get_logger(__name__)

SCHEMA = "fleet"


class CommandDesk:
    """Takes orders and keeps the record of what became of them."""

    def __init__(
        self, bus: EventBus, pool: Pool, clock: Clock, rights: Rights, *, publish_timeout_seconds: float
    ) -> None:
        """Record in `pool`, publish on `bus`; `rights` decides."""
        self._bus = bus
        self._pool = pool
        self._clock = clock
        self._rights = rights
        self._publish_timeout_seconds = publish_timeout_seconds

    async def issue(self, request: IssueCommandRequest) -> IssueCommandReply:
        """Answer `fleet.commands.issue`: the recorded command, or the error that refuses the order."""
        try:
            with explained():
                reply = await self._issue(request)
        except MowDeckError as error:
            metrics.ISSUED.labels(request.origin, error.code).inc()
            raise
        metrics.ISSUED.labels(request.origin, "repeated" if reply.repeated else "accepted").inc()
        return reply

    async def get(self, request: GetCommandRequest) -> Command:
        """Answer `fleet.commands.get`: by id, or by the issuer's own origin and key."""
        with explained():
            async with self._pool.acquire() as connection:
                await self._rights.held(connection, request.on_behalf_of, request.account_id)
                command = await self._find(connection, request)
                if command is not None and not await self._sees(connection, request, command):
                    command = None
        if command is None:
            raise NotFoundError("not_found", "There is no such command.", field="command_id")
        return command

    async def close(self, command: Command, status: CommandStatus, reason: str) -> Command:
        """End a command whose end nobody reports; the record as it is afterwards (another end may have come first)."""
        outcome = CommandOutcome(
            command_id=command.id,
            account_id=command.account_id,
            mower_id=command.mower_id,
            status=status,
            reason=reason,
            at=self._clock.now(),
        )
        return await self._advance(outcome, publish=True) or command

    async def take_outcome(self, outcome: CommandOutcome) -> None:
        """Record how far a command has come; an outcome that comes late or again changes nothing."""
        if await self._advance(outcome, publish=False) is None:
            _log.warning("outcome of an unknown command", command=outcome.command_id, status=outcome.status)

    async def _issue(self, request: IssueCommandRequest) -> IssueCommandReply:
        order_rules.check_key(request.key)
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
        async with self._pool.acquire() as connection:
            # A known key answers before any other check: what was ordered was ordered, whatever became of the right.
            stored = await self._stored(connection, request)
            if stored is None:
                await self._rights.require_mower(
                    connection, request.on_behalf_of, Relation.CAN_CONTROL, request.account_id, request.mower_id
                )
                await _check(connection, command)
                if not await commands.insert(
                    connection,
                    command,
                    expires_at=now + timedelta(seconds=ORDER_EXPIRES_SECONDS),
                    motion_expires_at=now + timedelta(seconds=MOTION_EXPIRES_SECONDS),
                ):
                    stored = await self._stored(connection, request)
        if stored is not None:
            order_rules.check_repeated(stored.body, stored.mower_id, request.command, request.mower_id)
            return IssueCommandReply(command=stored, repeated=True)
        return IssueCommandReply(command=await self._publish(command))

    async def _stored(self, connection: Connection, request: IssueCommandRequest) -> Command | None:
        return await commands.find_by_key(
            connection, request.account_id, request.on_behalf_of, request.origin, request.key
        )

    async def _publish(self, command: Command) -> Command:
        """Hand the recorded order over now or never."""
        expires_at = command.issued_at + timedelta(seconds=ORDER_EXPIRES_SECONDS)
        if self._clock.now() >= expires_at:
            return await self.close(command, CommandStatus.EXPIRED, "not_published")
        envelope = events.order(
            command,
            expires_at=expires_at,
            motion_expires_at=command.issued_at + timedelta(seconds=MOTION_EXPIRES_SECONDS),
        )
        try:
            async with asyncio.timeout(self._publish_timeout_seconds):
                await self._bus.publish(subjects.order_subject(command.mower_id), envelope)
        except (UnavailableError, DeadlineError, TimeoutError) as error:
            _log.warning("order not published", command=command.id, mower=command.mower_id, error=str(error))
            return await self.close(command, CommandStatus.FAILED, "unavailable")
        async with self._pool.acquire() as connection:
            await commands.mark_published(connection, command.id, self._clock.now())
        return command

    async def _sees(self, connection: Connection, request: GetCommandRequest, command: Command) -> bool:
        """Tell whether somebody may see a command: its issuer may, whatever became of the right."""
        principal = request.on_behalf_of
        if command.issued_by == principal:
            return True
        seen = await self._rights.allowed(
            connection, principal, Relation.CAN_VIEW, request.account_id, (command.mower_id,)
        )
        return command.mower_id in seen

    async def _find(self, connection: Connection, request: GetCommandRequest) -> Command | None:
        if request.command_id is not None:
            return await commands.find(connection, request.account_id, request.command_id)
        if request.key is None or request.origin is None:
            raise InvalidError("invalid", "A command is asked for by its id, or by origin and key.", field="command_id")
        return await commands.find_by_key(
            connection, request.account_id, request.on_behalf_of, request.origin, request.key
        )

    async def _advance(self, outcome: CommandOutcome, *, publish: bool) -> Command | None:
        """Write an outcome if it leads further; null when there is no such command."""
        async with self._pool.acquire() as connection, connection.transaction():
            known = await commands.find(connection, outcome.account_id, outcome.command_id, lock=True)
            if known is None:
                return None
            command = with_outcome(known, outcome)
            if command is known:
                return known
            await commands.write_status(connection, command)
            if publish:
                subject = subjects.outcome_subject(command.mower_id, command.id)
                await outbox.put(connection, SCHEMA, subject, events.outcome(command))
            return command


async def _check(connection: Connection, command: Command) -> None:
    """Refuse what cannot be ordered; a refusal leaves the key free."""
    mower_id, body = command.mower_id, command.body
    order_rules.check_body(body)
    if body.area_ids is not None:
        known = await areas.read_of_map(connection, mower_id)
        order_rules.check_areas(body, None if known is None else {area.id for area in known})
    reach = await mowers.find_reach(connection, mower_id)
    if reach is None or not reach.available:
        raise UnavailableError(
            "unavailable",
            "The mower cannot be reached now; nothing was sent, and nothing will be.",
            values={"reason": "never_heard" if reach is None else reach.reason},
            remedy="Order it again when the mower is reached.",
        )
