"""Where the orders of one mower arrive: each is carried out at most once, whatever crashes (design, Orders)."""

import asyncio
from collections.abc import Iterable

import msgspec
import structlog

from edge_gateway.bus.protocol import Acknowledge
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.commands import FINAL_STATUSES, CommandOrder, CommandStatus
from edge_gateway.contracts.envelope import Envelope
from edge_gateway.contracts.errors import MowDeckError, UnavailableError
from edge_gateway.device_gateway import expiry
from edge_gateway.device_gateway.attribution import StartInHand
from edge_gateway.device_gateway.decisions import Action, NothingToSend
from edge_gateway.device_gateway.errors import LeaseLostError
from edge_gateway.device_gateway.failure import Failure, failure_of
from edge_gateway.device_gateway.follow_up import FollowUp
from edge_gateway.device_gateway.job_book import JobBook
from edge_gateway.device_gateway.late_writes import LateWrites
from edge_gateway.device_gateway.move_right import MoveRight
from edge_gateway.device_gateway.order_gate import OrderGate
from edge_gateway.device_gateway.order_run import Acknowledged, OrderRun
from edge_gateway.device_gateway.outcomes import Outcomes
from edge_gateway.device_gateway.repository import OrderInHand, Repository, StartedJob

_log = structlog.get_logger(__name__)

_REMEMBERED = 1000
_ANSWER_SECONDS = 15.0
"""How long past its last frame an order may wait for the mower's answer."""
_LEASE_LOST_SECONDS = 1.0


class OrderDesk:
    """Takes the orders of one mower from the bus, one at a time."""

    def __init__(
        self,
        run: OrderRun,
        *,
        right: MoveRight,
        outcomes: Outcomes,
        follow_up: FollowUp,
        book: JobBook,
        writes: LateWrites,
        repository: Repository,
        clock: Clock,
    ) -> None:
        """Put the desk together from the parts of its mower's actor."""
        self._run = run
        self.right = right
        """Of the orders that arrive from now on; one that is under way keeps the right that it began with."""
        self._outcomes = outcomes
        self._follow_up = follow_up
        self._book = book
        self._writes = writes
        self._repository = repository
        self._clock = clock
        self._open = asyncio.Event()
        self._settled: dict[str, None] = {}
        """Orders that were dealt with in this life: one that comes again is only acknowledged."""

    def open(self) -> None:
        """Carry out what comes, and what has come meanwhile: the driver has started."""
        self._open.set()

    def recover(self, left: Iterable[OrderInHand]) -> None:
        """Deal with what an earlier life left in hand: nothing of it is sent again."""
        now = self._clock.now()
        for order in left:
            self._settle(order.command_id)
            if order.acknowledged_at is not None:
                self._follow_up.follow(
                    order.command_id,
                    order.action,
                    order.action,
                    job_id=order.job_id,
                    since=0,
                    left_seconds=(order.motion_expires_at - now).total_seconds(),
                )
                continue
            _log.warning("order was in hand when the gateway ended", command=order.command_id)
            self._outcomes.tell(order.command_id, order.action, CommandStatus.FAILED, reason="outcome_unknown")
            if order.action is Action.START_NEW and now < order.motion_expires_at:
                # A job that appears now is this order's; the row stays until then, for a next life.
                self._book.expect(
                    StartInHand(
                        command_id=order.command_id,
                        job_before=order.job_before,
                        sent_at=order.sent_at,
                        until=order.motion_expires_at,
                    )
                )
            else:
                self._let_go(order.command_id)

    async def handle(self, envelope: Envelope, acknowledge: Acknowledge) -> None:
        """Handle one order of the bus; one that is not acknowledged when this returns comes again."""
        try:
            await self._handle(envelope, acknowledge)
        except UnavailableError as error:
            _log.info("order put back, the bus is away", event_id=envelope.id, code=error.code)

    async def _handle(self, envelope: Envelope, acknowledge: Acknowledge) -> None:
        try:
            order = envelope.decode(CommandOrder)
        except msgspec.ValidationError:
            _log.exception("not an order", event_id=envelope.id)
            await acknowledge()
            return
        await self._open.wait()
        right = self.right
        if not right.held:
            # The next holder of the lease gets it.
            await asyncio.sleep(_LEASE_LOST_SECONDS)
            return
        if await self._was_dealt_with(order):
            await acknowledge()
            return
        if expiry.is_expired(order, first_frame_is_out=False, now=self._clock.now()):
            self._fail(order, Failure(status=CommandStatus.EXPIRED, reason="expired"))
            await acknowledge()
            return
        await self._outcomes.tell_now(order.command_id, order.body.kind, CommandStatus.ACCEPTED)
        gate = OrderGate(order, right=right, clock=self._clock, outcomes=self._outcomes, acknowledge=acknowledge)
        await self._carry_out(order, gate)
        if order.command_id in self._settled and not gate.opened:
            await acknowledge()

    async def _was_dealt_with(self, order: CommandOrder) -> bool:
        if order.command_id in self._settled:
            return True
        last = await self._outcomes.last(order.command_id)
        if last is None or last.status is CommandStatus.ACCEPTED:
            return False
        if last.status not in FINAL_STATUSES:
            # An earlier life ended after it said "sent": perhaps the frame left, perhaps not.
            self._fail(order, Failure(reason="outcome_unknown"))
        return True

    async def _carry_out(self, order: CommandOrder, gate: OrderGate) -> None:
        heard = self._follow_up.heard
        remaining = (order.motion_expires_at - self._clock.now()).total_seconds()
        try:
            async with asyncio.timeout(remaining + _ANSWER_SECONDS):
                ran = await self._run.run(order, gate)
        except LeaseLostError as error:
            if not gate.opened:
                return
            self._fail_after(order, gate, error)
        except (MowDeckError, TimeoutError) as error:
            self._fail_after(order, gate, error)
        except Exception as error:  # noqa: BLE001  # whatever a driver raises is the outcome of its order
            _log.exception("order failed for a reason of ours", command=order.command_id)
            self._fail_after(order, gate, error)
        else:
            match ran:
                case Failure():
                    self._fail(order, ran)
                case NothingToSend(reason):
                    self._settle(order.command_id)
                    self._tell(order, CommandStatus.CONFIRMED, reason)
                case Acknowledged(action, job_id):
                    self._acknowledged(order, action, job_id, heard)

    def _acknowledged(self, order: CommandOrder, action: Action | None, job_id: str | None, heard: int) -> None:
        now = self._clock.now()
        self._settle(order.command_id)
        self._tell(order, CommandStatus.ACKNOWLEDGED)
        if action is None:
            self._tell(order, CommandStatus.CONFIRMED)
            return
        if job_id is not None:
            self._book.expect(None)
            job = StartedJob(job_id=job_id, command_id=order.command_id, started_at=now)
            self._book.record(job)
            self._writes.put(lambda: self._repository.save_job(order.mower_id, job))
        self._writes.put(lambda: self._repository.acknowledged(order.command_id, at=now, job_id=job_id))
        self._follow_up.follow(
            order.command_id,
            order.body.kind,
            action,
            job_id=job_id,
            since=heard,
            left_seconds=(order.motion_expires_at - now).total_seconds(),
        )

    def _fail_after(self, order: CommandOrder, gate: OrderGate, error: Exception) -> None:
        if not gate.frames:
            # Nothing left, so no job that appears is this order's; after a frame, one still may be.
            self._book.expect(None)
        self._fail(order, failure_of(error, frames=gate.frames))

    def _fail(self, order: CommandOrder, failure: Failure) -> None:
        self._settle(order.command_id)
        _log.info("order not carried out", command=order.command_id, mower=order.mower_id, reason=failure.reason)
        self._outcomes.tell(
            order.command_id, order.body.kind, failure.status, reason=failure.reason, values=failure.values
        )
        self._let_go(order.command_id)

    def _tell(self, order: CommandOrder, status: CommandStatus, reason: str | None = None) -> None:
        self._outcomes.tell(order.command_id, order.body.kind, status, reason=reason)

    def _let_go(self, command_id: str) -> None:
        self._writes.put(lambda: self._repository.let_go([command_id]))

    def _settle(self, command_id: str) -> None:
        self._settled[command_id] = None
        while len(self._settled) > _REMEMBERED:
            del self._settled[next(iter(self._settled))]
