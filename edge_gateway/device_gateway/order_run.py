"""One order from its decision to the mower's yes."""

import msgspec

from edge_gateway.bus.protocol import EventBus
from edge_gateway.contracts import routes
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.commands import MOTION_KINDS, CommandKind, CommandOrder
from edge_gateway.contracts.errors import InvalidError, MowDeckError
from edge_gateway.contracts.fleet import ResolveTargetRequest
from edge_gateway.contracts.map import MowerMap
from edge_gateway.device_gateway.area_choice import choose_areas
from edge_gateway.device_gateway.attribution import StartInHand
from edge_gateway.device_gateway.decisions import Action, NothingToSend, Refused, Send
from edge_gateway.device_gateway.failure import Failure, failure_of_refusal
from edge_gateway.device_gateway.job_book import JobBook
from edge_gateway.device_gateway.order_gate import OrderGate
from edge_gateway.device_gateway.order_rule import decide
from edge_gateway.device_gateway.provider import Driver, DriverState, Start
from edge_gateway.device_gateway.repository import KnownMower, OrderInHand, Repository

_SENT_WITHOUT_A_STATE = frozenset({CommandKind.PAUSE, CommandKind.CANCEL_JOB})
"""Orders that end motion go out even when the mower does not tell how it is."""


class Acknowledged(msgspec.Struct, frozen=True):
    """The mower said yes."""

    action: Action | None
    """What was sent, to be seen in its state; null for an order that moves nothing."""
    job_id: str | None = None
    """The job that a start made."""


type Ran = Acknowledged | NothingToSend | Failure


class OrderRun:
    """Decides about the orders of one mower and sends them."""

    def __init__(
        self,
        mower: KnownMower,
        driver: Driver,
        book: JobBook,
        *,
        bus: EventBus,
        repository: Repository,
        clock: Clock,
        fresh_seconds: float,
    ) -> None:
        """Send to this driver."""
        self._mower = mower
        self._driver = driver
        self._book = book
        self._bus = bus
        self._repository = repository
        self._clock = clock
        self._fresh_seconds = fresh_seconds

    async def run(self, order: CommandOrder, gate: OrderGate) -> Ran:
        """Carry an order out up to the mower's yes; raises what driver, gate and bus raise."""
        body = order.body
        if body.kind not in MOTION_KINDS:
            return await self._run_without_motion(order, gate)
        state = await self._fresh_state(body.kind)
        known = self._driver.state if state is None else state
        job = None if known is None else known.job
        decision = decide(
            body,
            known,
            self._driver.capabilities,
            fresh=state is not None,
            started_here_at=None if job is None else self._book.started_at(job),
            now=self._clock.now(),
        )
        match decision:
            case Send(action):
                return await self._send(order, action, gate, job_before=None if job is None else job.id)
            case Refused():
                return failure_of_refusal(decision)
            case NothingToSend():
                return decision

    async def _run_without_motion(self, order: CommandOrder, gate: OrderGate) -> Ran:
        body = order.body
        if body.kind is CommandKind.PUT_SETTING and body.setting_key is None:
            raise InvalidError("missing", "The order names no setting.", field="setting_key")
        await gate()
        if body.setting_key is not None:
            await self._driver.put_setting(body.setting_key, body.setting_value)
        else:
            await self._driver.refresh()
        return Acknowledged(None)

    async def _fresh_state(self, kind: CommandKind) -> DriverState | None:
        """Return a state that may be trusted, asked for when the last one is too old.

        Null for an order that goes out without; raises `UnavailableError` for others when the mower does not answer.
        """
        state = self._driver.state
        if state is not None and (self._clock.now() - state.observed_at).total_seconds() <= self._fresh_seconds:
            return state
        try:
            return await self._driver.refresh()
        except MowDeckError:
            if kind in _SENT_WITHOUT_A_STATE:
                return None
            raise

    async def _send(self, order: CommandOrder, action: Action, gate: OrderGate, *, job_before: str | None) -> Ran:
        area_ids: tuple[str, ...] = ()
        if action is Action.START_NEW and self._driver.capabilities.has_areas:
            named = order.body.area_ids
            disabled = await self._disabled_areas() if named is None else frozenset[str]()
            choice = choose_areas(named, disabled=disabled, mower_map=await self._map())
            if isinstance(choice, Refused):
                return failure_of_refusal(choice)
            area_ids = choice
        gate.record_with(lambda: self._take_in_hand(order, action, job_before))
        match action:
            case Action.START_NEW:
                job_id = await self._driver.start_mow(Start(area_ids=area_ids, pattern=order.body.pattern), gate)
                return Acknowledged(action, job_id)
            case Action.RESUME:
                await self._driver.resume(gate)
            case Action.PAUSE:
                await self._driver.pause(gate)
            case Action.RETURN_TO_DOCK:
                await self._driver.return_to_dock(gate)
            case Action.CANCEL_JOB:
                await self._driver.cancel_job(gate)
        return Acknowledged(action)

    async def _map(self) -> MowerMap | None:
        """Return the driver's map; the one that is kept while the driver has not yet read it, soon after a restart."""
        return self._driver.map or await self._repository.map(self._mower.mower_id)

    async def _take_in_hand(self, order: CommandOrder, action: Action, job_before: str | None) -> None:
        now = self._clock.now()
        await self._repository.take_in_hand(
            OrderInHand(
                command_id=order.command_id,
                mower_id=order.mower_id,
                account_id=order.account_id,
                action=action,
                job_before=job_before,
                sent_at=now,
                motion_expires_at=order.motion_expires_at,
            )
        )
        if action is Action.START_NEW:
            self._book.expect(
                StartInHand(
                    command_id=order.command_id, job_before=job_before, sent_at=now, until=order.motion_expires_at
                )
            )

    async def _disabled_areas(self) -> frozenset[str]:
        """Ask the fleet which areas the owner took out; raises its error when it does not answer."""
        question = ResolveTargetRequest(account_id=self._mower.account_id, mower_id=self._mower.mower_id)
        answer = await self._bus.request(routes.TARGETS_RESOLVE, question)
        target = next((mower for mower in answer.mowers if mower.mower_id == self._mower.mower_id), None)
        if target is None or target.area_ids is None or target.enabled_area_ids is None:
            return frozenset()
        return frozenset(target.area_ids) - frozenset(target.enabled_area_ids)
