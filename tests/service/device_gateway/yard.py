"""One mower, one database, one bus server: gateways come and go, the mower and the servers stay."""

import asyncio
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from datetime import timedelta

import msgspec

from edge_gateway.bus.protocol import EventBus, Lease
from edge_gateway.contracts import routes, subjects
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.contracts.commands import (
    FINAL_STATUSES,
    MOTION_EXPIRES_SECONDS,
    ORDER_EXPIRES_SECONDS,
    CommandBody,
    CommandKind,
    CommandOrder,
    CommandOutcome,
    StartMode,
)
from edge_gateway.contracts.envelope import Envelope, wrap
from edge_gateway.contracts.fleet import (
    MowerReply,
    RegisterMowerRequest,
    ResolveTargetReply,
    ResolveTargetRequest,
    Site,
    TargetMower,
)
from edge_gateway.contracts.identifiers import ACCOUNT_ID, new_id
from edge_gateway.contracts.map import MowerMap
from edge_gateway.contracts.mower import Mower, MowerAvailability, MowerState
from edge_gateway.contracts.principals import OWNER, PermissionCheckReply, PermissionCheckRequest
from edge_gateway.database.pools import Pool, open_pool
from edge_gateway.device_gateway.actor import Actor
from edge_gateway.device_gateway.repository import KnownMower, Repository
from edge_gateway.device_gateway.settings import DeviceGatewaySettings
from edge_gateway.device_gateway.supervisor import Supervisor
from tests.eventually import eventually
from tests.service.device_gateway.fate import Fate, fated_bus, fated_repository
from tests.service.device_gateway.scripted_mower import ScriptedDriver, ScriptedMower

MOWER_ID = "mower-1"
SITE = Site(id="home", account_id=ACCOUNT_ID, name="Home", time_zone="Europe/Berlin")
SETTINGS = DeviceGatewaySettings(confirm_seconds=5.0, retry_seconds=0.05)
_WAIT_SECONDS = 10.0

_LIFE: ContextVar[Life] = ContextVar("life")
"""The life that a task belongs to: tasks hand it on to those that they begin."""

type Connect = Callable[[], Awaitable[EventBus]]
"""Connects one more client to the yard's bus server."""


class StandInFleet:
    """Answers for the fleet: registers mowers, knows which areas are enabled, lets the owner see everything."""

    def __init__(self) -> None:
        """Know no mower yet."""
        self.registered: dict[str, RegisterMowerRequest] = {}
        self.enabled: tuple[str, ...] | None = None
        self.known_areas: tuple[str, ...] | None = None

    async def answer(self, bus: EventBus) -> None:
        """Begin to answer."""
        await bus.reply(routes.MOWERS_REGISTER, self.register)
        await bus.reply(routes.TARGETS_RESOLVE, self.resolve)
        await bus.reply(routes.PERMISSIONS_CHECK, self.check)

    async def register(self, question: RegisterMowerRequest) -> MowerReply:
        """Answer `fleet.mowers.register`: the id follows from the vendor key."""
        mower_id = f"fleet-{question.vendor_key}"
        self.registered[mower_id] = question
        mower = Mower(
            id=mower_id,
            account_id=ACCOUNT_ID,
            name=question.name,
            provider=question.provider,
            vendor_key=question.vendor_key,
            site_id="home",
            created_at=SystemClock().now(),
        )
        return MowerReply(mower=mower)

    async def resolve(self, question: ResolveTargetRequest) -> ResolveTargetReply:
        """Answer `fleet.targets.resolve`."""
        target = TargetMower(
            mower_id=question.mower_id or "",
            site=SITE,
            area_ids=self.known_areas,
            enabled_area_ids=self.enabled,
            obey_rain=True,
        )
        return ResolveTargetReply(mowers=(target,), account_owner=OWNER, default_site=SITE)

    async def check(self, question: PermissionCheckRequest) -> PermissionCheckReply:
        """Answer `fleet.permissions.check`."""
        return PermissionCheckReply(allowed=dict.fromkeys(question.mower_ids, question.principal == OWNER))


class Life:
    """One gateway that drives the yard's mower, from its start to its stop or death."""

    def __init__(
        self, yard: Yard, bus: EventBus, pool: Pool, fate: Fate, settings: DeviceGatewaySettings, holder: str
    ) -> None:
        """Prepare; the pool is this life's own and ends with it."""
        self._pool = pool
        self.fate = fate
        self.ended = False
        self.leases: list[Lease] = []
        self.drivers: list[ScriptedDriver] = []
        self._bus = fated_bus(bus, fate)
        self._repository = fated_repository(Repository(pool), fate)
        self._yard = yard
        self._settings = settings
        self.supervisor = Supervisor(MOWER_ID, self._make_actor, bus=self._bus, instance_id=holder, retry_seconds=0.05)

    @property
    def driver(self) -> ScriptedDriver:
        """The newest handle on the mower."""
        return self.drivers[-1]

    async def start(self) -> None:
        """Begin, and wait until the mower is followed."""
        token = _LIFE.set(self)
        self.supervisor.start()
        _LIFE.reset(token)
        await eventually(self._actor, seconds=_WAIT_SECONDS)
        self.fate.counting = True

    async def stop(self) -> None:
        """End cleanly."""
        self.ended = True
        await self.supervisor.stop()
        await self._pool.close()

    async def kill(self) -> None:
        """End as a killed process does: every task of this life stops where it is."""
        self.ended = True
        self.fate.died.set()
        self._pool.terminate()
        while True:
            left = {task for task in asyncio.all_tasks() if task.get_context().get(_LIFE) is self}
            if not left:
                return
            for task in left:
                task.cancel()
            await asyncio.wait(left, timeout=0.1)

    async def _actor(self) -> Actor | None:
        return self.supervisor.actor

    def _make_actor(self, lease: Lease) -> Actor:
        self.leases.append(lease)
        driver = ScriptedDriver(self._yard.mower, mower_id=MOWER_ID, step=self.fate.step)
        self.drivers.append(driver)
        known = KnownMower(
            mower_id=MOWER_ID,
            account_id=ACCOUNT_ID,
            provider="scripted",
            vendor_key="M1",
            vendor_account_id=None,
        )
        return Actor(
            known,
            driver,
            lease,
            bus=self._bus,
            repository=self._repository,
            clock=self._yard.clock,
            settings=self._settings,
        )


class Yard:
    """The mower and the servers, and what is seen on the bus from outside."""

    def __init__(self, connect: Connect, database_url: str, clock: SystemClock) -> None:
        """Put it together; `open` begins to listen."""
        self.clock = clock
        self.mower = ScriptedMower(clock)
        self.fleet = StandInFleet()
        self.bus: EventBus
        self._connect = connect
        self._database_url = database_url
        self._lives: list[Life] = []
        self._outcomes: dict[str, list[CommandOutcome]] = {}
        self._states: list[MowerState] = []
        self._maps: list[MowerMap] = []
        self._availabilities: list[MowerAvailability] = []
        self._news = asyncio.Event()

    async def open(self) -> None:
        """Connect, and listen to everything that is told about mowers."""
        self.bus = await self._connect()
        await self.fleet.answer(self.bus)
        for subject, hear in (
            (subjects.ALL_OUTCOMES, self._hear_outcome),
            (subjects.ALL_STATES, self._hear_state),
            (subjects.ALL_MAPS, self._hear_map),
            (subjects.ALL_AVAILABILITIES, self._hear_availability),
        ):
            await self.bus.subscribe(subject, hear, acknowledge=False)

    async def life(
        self, *, fate: Fate | None = None, holder: str = "instance-1", settings: DeviceGatewaySettings = SETTINGS
    ) -> Life:
        """Begin a life of the gateway."""
        life = await self.unborn(fate=fate, holder=holder, settings=settings)
        await life.start()
        return life

    async def unborn(
        self, *, fate: Fate | None = None, holder: str = "instance-1", settings: DeviceGatewaySettings = SETTINGS
    ) -> Life:
        """Prepare a life that is not started yet."""
        pool = await open_pool(self._database_url, application_name="test", maximum=2)
        life = Life(self, await self._connect(), pool, fate or Fate(), settings, holder)
        self._lives.append(life)
        return life

    async def order(
        self,
        kind: CommandKind,
        *,
        mode: StartMode = StartMode.AUTO,
        area_ids: tuple[str, ...] | None = None,
        issued_ago_seconds: float = 0.0,
        command_id: str | None = None,
        setting: tuple[str, object] | None = None,
    ) -> str:
        """Publish an order as the fleet does; return the command's id."""
        issued_at = self.clock.now() - timedelta(seconds=issued_ago_seconds)
        body = CommandBody(kind=kind, mode=mode, area_ids=area_ids)
        if setting is not None:
            body = msgspec.structs.replace(body, setting_key=setting[0], setting_value=setting[1])
        order = CommandOrder(
            command_id=command_id or new_id(),
            account_id=ACCOUNT_ID,
            mower_id=MOWER_ID,
            body=body,
            issued_by=OWNER,
            issued_at=issued_at,
            expires_at=issued_at + timedelta(seconds=ORDER_EXPIRES_SECONDS),
            motion_expires_at=issued_at + timedelta(seconds=MOTION_EXPIRES_SECONDS),
        )
        envelope = wrap(
            order,
            id=new_id(),
            type=subjects.ORDER_TYPE,
            occurred_at=issued_at,
            account_id=ACCOUNT_ID,
            subject_id=order.command_id,
        )
        await self.bus.publish(subjects.order_subject(MOWER_ID), envelope)
        return order.command_id

    async def final(self, command_id: str) -> CommandOutcome:
        """Wait for the end of an order; return its last outcome."""
        await self.until(lambda: any(o.status in FINAL_STATUSES for o in self.outcomes(command_id)))
        return self.outcomes(command_id)[-1]

    async def until(self, true: Callable[[], bool], *, seconds: float = _WAIT_SECONDS) -> None:
        """Wait until something is true, looked at after each thing heard."""
        async with asyncio.timeout(seconds):
            while not true():
                self._news.clear()
                await self._news.wait()

    def outcomes(self, command_id: str) -> list[CommandOutcome]:
        """Return what was told of an order so far."""
        return self._outcomes.get(command_id, [])

    def statuses(self, command_id: str) -> list[str]:
        """Return every status of an order that was published so far; a reader may see only the newest ones."""
        return [
            str(envelope.decode(CommandOutcome).status)
            for life in self._lives
            for envelope in life.fate.published
            if envelope.type == subjects.OUTCOME_TYPE and envelope.subject_id == command_id
        ]

    @property
    def states(self) -> list[MowerState]:
        """The states that were published."""
        return self._states

    @property
    def maps(self) -> list[MowerMap]:
        """The maps that were published."""
        return self._maps

    @property
    def availabilities(self) -> list[MowerAvailability]:
        """The availabilities that were published."""
        return self._availabilities

    async def close(self) -> None:
        """End what still lives."""
        for life in self._lives:
            if not life.ended:
                await life.stop()

    async def _hear_outcome(self, envelope: Envelope) -> None:
        outcome = envelope.decode(CommandOutcome)
        self._outcomes.setdefault(outcome.command_id, []).append(outcome)
        self._news.set()

    async def _hear_state(self, envelope: Envelope) -> None:
        self._states.append(envelope.decode(MowerState))
        self._news.set()

    async def _hear_map(self, envelope: Envelope) -> None:
        self._maps.append(envelope.decode(MowerMap))
        self._news.set()

    async def _hear_availability(self, envelope: Envelope) -> None:
        self._availabilities.append(envelope.decode(MowerAvailability))
        self._news.set()
