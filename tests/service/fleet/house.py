"""The Fleet with a device gateway that is played by the test."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime

import msgspec

from edge_gateway.bus.protocol import EventBus
from edge_gateway.contracts import routes, subjects
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.contracts.commands import (
    Command,
    CommandBody,
    CommandKind,
    CommandOrder,
    CommandOutcome,
    CommandStatus,
    GetCommandRequest,
    IssueCommandReply,
    IssueCommandRequest,
)
from edge_gateway.contracts.envelope import Envelope, wrap
from edge_gateway.contracts.fleet import ListMowersRequest, MowerReply, RegisterMowerRequest
from edge_gateway.contracts.identifiers import new_id, outcome_event_id
from edge_gateway.contracts.map import Area, MowerMap
from edge_gateway.contracts.mower import MowerAvailability
from edge_gateway.contracts.principals import OWNER, Origin
from edge_gateway.database.pools import Pool
from edge_gateway.fleet.service import FleetService
from edge_gateway.fleet.settings import FleetSettings
from tests.eventually import eventually

START = CommandBody(kind=CommandKind.START_MOW)
AREAS = (Area(id="a1", vendor_key="1", name="Front", size_m2=120.0), Area(id="a2", vendor_key="2", name="Back"))


class FleetHouse:
    """The Fleet at work, and what a device gateway would tell it."""

    def __init__(self, bus: EventBus, pool: Pool) -> None:
        """Prepare a Fleet that looks after open commands often."""
        self.bus = bus
        self.pool = pool
        self.clock = SystemClock()
        self.settings = FleetSettings(sweep_seconds=0.05, grace_seconds=1.0)
        self.service = self._make_service()
        self.orders: list[CommandOrder] = []
        self.events: list[Envelope] = []
        self.mower_id = ""

    async def start(self) -> None:
        """Start the Fleet, and write down what it sends."""
        await self.bus.subscribe(subjects.ALL_ORDERS, self._take_order, acknowledge=False)
        await self.bus.subscribe("fleet.*.changed", self._take_event, acknowledge=False)
        await self.service.start()

    async def stop(self) -> None:
        """Stop the Fleet."""
        await self.service.stop()

    async def start_again(self) -> None:
        """Start another Fleet on the same database, after a stop."""
        self.service = self._make_service()
        await self.service.start()

    async def add_mower(self, vendor_key: str) -> str:
        """Register a mower that is reached and has a map, as a device gateway does."""
        request = RegisterMowerRequest(
            account_id="home", provider="simulator", vendor_key=vendor_key, name=f"Mower {vendor_key}", model="One"
        )
        mower_id = (await self.bus.request(routes.MOWERS_REGISTER, request)).mower.id
        await self.tell_availability(mower_id, available=True)
        await self.tell_map(mower_id, *AREAS)
        await self.until(lambda: self.reached(mower_id))
        await self.until(lambda: self._has_areas(mower_id))
        self.mower_id = self.mower_id or mower_id
        return mower_id

    async def tell_availability(self, mower_id: str, *, available: bool, reason: str | None = None) -> None:
        """Tell whether a mower is reached."""
        availability = MowerAvailability(
            mower_id=mower_id, account_id="home", available=available, reason=reason, changed_at=self.clock.now()
        )
        await self._tell(
            subjects.availability_subject(mower_id), availability, subjects.AVAILABILITY_TYPE, new_id(), mower_id
        )

    async def tell_map(
        self, mower_id: str, *areas: Area, complete: bool = True, observed_at: datetime | None = None
    ) -> None:
        """Tell a map."""
        mower_map = MowerMap(
            mower_id=mower_id,
            account_id="home",
            observed_at=observed_at or self.clock.now(),
            complete=complete,
            areas=areas,
        )
        await self._tell(subjects.map_subject(mower_id), mower_map, subjects.MAP_TYPE, new_id(), mower_id)

    async def tell_outcome(self, command: Command, status: CommandStatus, reason: str | None = None) -> None:
        """Tell how far a command has come."""
        outcome = CommandOutcome(
            command_id=command.id,
            account_id="home",
            mower_id=command.mower_id,
            status=status,
            reason=reason,
            values={} if reason is None else {"seconds": 3},
            at=self.clock.now(),
        )
        subject = subjects.outcome_subject(command.mower_id, command.id)
        event_id = outcome_event_id(command.id, status)
        await self._tell(subject, outcome, subjects.OUTCOME_TYPE, event_id, command.id)

    async def issue(
        self,
        key: str = "k",
        body: CommandBody = START,
        *,
        mower_id: str | None = None,
        principal: str = OWNER,
        origin: Origin = Origin.API,
        account_id: str = "home",
    ) -> IssueCommandReply:
        """Order something over the bus."""
        request = IssueCommandRequest(
            key=key,
            on_behalf_of=principal,
            account_id=account_id,
            mower_id=self.mower_id if mower_id is None else mower_id,
            command=body,
            origin=origin,
            schedule_id=None,
        )
        return await self.bus.request(routes.COMMANDS_ISSUE, request)

    async def command(self, command_id: str) -> Command:
        """Return a command as it is recorded."""
        question = GetCommandRequest(on_behalf_of=OWNER, account_id="home", command_id=command_id)
        return await self.bus.request(routes.COMMANDS_GET, question)

    async def mower(self, mower_id: str | None = None) -> MowerReply:
        """Return a mower's record."""
        question = ListMowersRequest(on_behalf_of=OWNER, account_id="home", mower_id=mower_id or self.mower_id)
        return (await self.bus.request(routes.MOWERS_LIST, question)).items[0]

    async def commands_recorded(self) -> int:
        """Return how many commands there are."""
        count: int = await self.pool.fetchval("SELECT count(*) FROM fleet.command")
        return count

    async def until_status(self, command_id: str, status: CommandStatus) -> Command:
        """Wait until a command has come so far."""

        async def look() -> Command | None:
            command = await self.command(command_id)
            return command if command.status is status else None

        command = await eventually(look)
        assert command is not None
        return command

    async def until(self, look: Callable[[], Awaitable[bool]]) -> None:
        """Wait until something is so."""
        await eventually(look)

    async def until_heard(self, count: int) -> list[CommandOrder]:
        """Wait until so many orders were published; return all."""

        async def look() -> bool:
            return len(self.orders) >= count

        await eventually(look)
        return self.orders

    async def nothing_more_is_ordered(self) -> None:
        """Publish an order of the test's own; everything that was published before it has then been heard."""
        marker = msgspec.structs.replace(self.orders[0], command_id="marker") if self.orders else None
        order = marker or CommandOrder(
            command_id="marker",
            account_id="home",
            mower_id="marker",
            body=START,
            issued_by=OWNER,
            issued_at=self.clock.now(),
            expires_at=self.clock.now(),
            motion_expires_at=self.clock.now(),
        )
        await self._tell(subjects.order_subject("marker"), order, subjects.ORDER_TYPE, new_id(), "marker")

        async def look() -> bool:
            return bool(self.orders) and self.orders[-1].command_id == "marker"

        await eventually(look)
        self.orders.pop()

    async def reached(self, mower_id: str) -> bool:
        """Tell whether the Fleet believes that a mower is reached."""
        return bool(await self.pool.fetchval("SELECT available FROM fleet.availability WHERE mower_id = $1", mower_id))

    def _make_service(self) -> FleetService:
        return FleetService(bus=self.bus, pool=self.pool, clock=self.clock, settings=self.settings)

    async def _has_areas(self, mower_id: str) -> bool:
        return bool((await self.mower(mower_id)).areas)

    async def _tell(
        self, subject: str, payload: msgspec.Struct, event_type: str, event_id: str, subject_id: str
    ) -> None:
        envelope = wrap(
            payload,
            id=event_id,
            type=event_type,
            occurred_at=self.clock.now(),
            account_id="home",
            subject_id=subject_id,
        )
        await self.bus.publish(subject, envelope)

    async def _take_order(self, envelope: Envelope) -> None:
        self.orders.append(envelope.decode(CommandOrder))

    async def _take_event(self, envelope: Envelope) -> None:
        self.events.append(envelope)


async def gather_all[T](*work: Awaitable[T]) -> list[T | BaseException]:
    """Do everything at once; errors are results."""
    return await asyncio.gather(*work, return_exceptions=True)
