"""The actor of one mower: hears its driver, tells the bus, takes its orders; held by a lease (design, Providers)."""

from typing import override

import structlog

from edge_gateway.bus.protocol import EventBus, Lease, Subscription
from edge_gateway.contracts import subjects
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.errors import UnavailableError
from edge_gateway.contracts.map import MowerMap
from edge_gateway.contracts.mower import MowerState
from edge_gateway.device_gateway.announcer import Announcer
from edge_gateway.device_gateway.follow_up import FollowUp
from edge_gateway.device_gateway.job_book import JobBook
from edge_gateway.device_gateway.late_writes import LateWrites
from edge_gateway.device_gateway.link_repository import LinkRepository
from edge_gateway.device_gateway.move_right import MoveRight
from edge_gateway.device_gateway.observed_at import Told
from edge_gateway.device_gateway.order_desk import OrderDesk
from edge_gateway.device_gateway.order_run import OrderRun
from edge_gateway.device_gateway.outcomes import Outcomes
from edge_gateway.device_gateway.provider import Driver, DriverAvailability, DriverListener, DriverState
from edge_gateway.device_gateway.publisher import Publisher
from edge_gateway.device_gateway.repository import KnownMower, Repository
from edge_gateway.device_gateway.settings import DeviceGatewaySettings

_log = structlog.get_logger(__name__)

_DRAIN_SECONDS = 1.0


class Actor(DriverListener):
    """Drives one mower for as long as the lease is ours."""

    def __init__(
        self,
        mower: KnownMower,
        driver: Driver,
        lease: Lease,
        *,
        bus: EventBus,
        repository: Repository,
        clock: Clock,
        settings: DeviceGatewaySettings,
        links: LinkRepository | None = None,
    ) -> None:
        """Put the actor together; nothing runs before `start`. `links` knows how the mower's links are used."""
        self.mower = mower
        self.driver = driver
        self._bus = bus
        self._repository = repository
        self._clock = clock
        self._settings = settings
        self._links = links
        self._right = MoveRight(lease)
        self._desk: OrderDesk | None = None
        self._publisher = Publisher(bus, mower_id=mower.mower_id, maximum_states=settings.pending_states_max)
        self._writes = LateWrites(mower_id=mower.mower_id)
        self._outcomes = Outcomes(bus, self._publisher, clock, mower_id=mower.mower_id, account_id=mower.account_id)
        self._follow_up = FollowUp(
            driver, self._outcomes, self._writes, repository, confirm_seconds=settings.confirm_seconds
        )
        self._announcer: Announcer | None = None
        self._orders: Subscription | None = None

    async def start(self) -> None:
        """Read back what an earlier life left, follow the mower, take its orders.

        Raises `UnavailableError` when bus or database are away, and what the driver's start raises.
        """
        mower_id = self.mower.mower_id
        last = await self._last_state()
        told = None if last is None else Told.read_back(last.observed_at)
        book = JobBook(await self._repository.jobs(mower_id))
        left = await self._repository.in_hand(mower_id)
        stored_map = await self._repository.map(mower_id)
        self._announcer = Announcer(
            self.mower,
            self._publisher,
            self._writes,
            book,
            repository=self._repository,
            clock=self._clock,
            told=told,
            stored_map=stored_map,
        )
        if self._links is not None:
            self.driver.prefer_links(await self._links.preference(mower_id))
        self._desk = desk = self._make_desk(book)
        self._publisher.start()
        self._writes.start()
        desk.recover(left)
        # Before anybody can know of the mower: an order that comes now waits until its driver has started.
        await self._take_orders(desk)
        try:
            await self.driver.start(self)
        except BaseException:
            self._announcer.hear_availability(DriverAvailability(available=False, reason="driver_not_started"))
            raise
        # After a restart map and availability are told again, changed or not.
        self._announcer.tell_again(self.driver.map, self.driver.availability)
        self._announcer.keep_settings(self.driver.settings)
        desk.open()
        _log.info("mower followed", mower=mower_id, provider=self.mower.provider)

    async def stop(self, *, reason: str | None) -> None:
        """Let go of the mower; with a reason it becomes unavailable, without one somebody else has it."""
        self._right.give_up()
        await self._refuse_orders()
        await self._follow_up.stop()
        await self.driver.stop()
        if reason is not None and self._announcer is not None:
            self._announcer.hear_availability(DriverAvailability(available=False, reason=reason))
        await self._publisher.stop(drain_seconds=_DRAIN_SECONDS)
        await self._writes.stop(drain_seconds=_DRAIN_SECONDS)
        _log.info("mower let go", mower=self.mower.mower_id, reason=reason)

    async def suspend(self) -> None:
        """Move and tell nothing while the lease is lost, but go on hearing the mower: what it tells waits."""
        self._right.give_up()
        self._publisher.pause()
        await self._refuse_orders()

    async def resume(self, lease: Lease) -> None:
        """Go on under a lease that is ours again: tell what waited, take orders.

        Raises `UnavailableError` when the bus is away (again).
        """
        last = await self._last_state()
        if self._desk is None or self._announcer is None:
            return
        if last is not None:
            self._announcer.read_back(last.observed_at)
        self._desk.right = self._right = MoveRight(lease)
        await self._take_orders(self._desk)
        self._publisher.go_on()

    @override
    async def state_changed(self, state: DriverState) -> None:
        """Tell the bus of a new report and see whether it shows an order."""
        if self._announcer is not None and self._announcer.hear_state(state):
            self._follow_up.hear(state)
            self._announcer.keep_settings(self.driver.settings)

    @override
    async def availability_changed(self, availability: DriverAvailability) -> None:
        """Tell the bus that the mower is reached, or no longer."""
        if self._announcer is not None:
            self._announcer.hear_availability(availability)

    @override
    async def map_changed(self, mower_map: MowerMap) -> None:
        """Tell the bus of a map and keep it."""
        if self._announcer is not None:
            self._announcer.hear_map(mower_map)

    async def _last_state(self) -> MowerState | None:
        last = await self._bus.last(subjects.state_subject(self.mower.mower_id))
        return None if last is None else last.decode(MowerState)

    async def _take_orders(self, desk: OrderDesk) -> None:
        mower_id = self.mower.mower_id
        self._orders = await self._bus.subscribe_orders(
            subjects.order_subject(mower_id), desk.handle, durable=f"device-gateway-orders-{mower_id}"
        )

    async def _refuse_orders(self) -> None:
        orders, self._orders = self._orders, None
        if orders is None or self._desk is None:
            return
        self._desk.open()  # an order that waits for the driver's start goes back unacknowledged
        try:
            await orders.unsubscribe()
        except UnavailableError as error:
            _log.info("orders not unsubscribed, the bus is away", mower=self.mower.mower_id, code=error.code)

    def _make_desk(self, book: JobBook) -> OrderDesk:
        run = OrderRun(
            self.mower,
            self.driver,
            book,
            bus=self._bus,
            repository=self._repository,
            clock=self._clock,
            fresh_seconds=self._settings.fresh_seconds,
        )
        return OrderDesk(
            run,
            right=self._right,
            outcomes=self._outcomes,
            follow_up=self._follow_up,
            book=book,
            writes=self._writes,
            repository=self._repository,
            clock=self._clock,
        )
