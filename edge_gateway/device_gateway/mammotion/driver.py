"""The handle on one Mammotion mower: its state, map, settings and orders, while the vendor account is connected."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, override

from edge_gateway.contracts.device import Setting
from edge_gateway.contracts.errors import InvalidError, UnavailableError, UnsafeError
from edge_gateway.contracts.identifiers import new_id
from edge_gateway.contracts.map import MowerMap
from edge_gateway.contracts.mower import BUSY
from edge_gateway.device_gateway.errors import LeaseLostError, OrderExpiredError
from edge_gateway.device_gateway.link_preference import LinkPreference
from edge_gateway.device_gateway.mammotion import metrics
from edge_gateway.device_gateway.mammotion.availability import availability_of
from edge_gateway.device_gateway.mammotion.capabilities import capabilities_of
from edge_gateway.device_gateway.mammotion.connection import Connection, facts_of
from edge_gateway.device_gateway.mammotion.errors import unavailable, unavailable_account
from edge_gateway.device_gateway.mammotion.firmware import firmware_of
from edge_gateway.device_gateway.mammotion.follower import Follower
from edge_gateway.device_gateway.mammotion.map_keeper import MapKeeper
from edge_gateway.device_gateway.mammotion.memory import Memory
from edge_gateway.device_gateway.mammotion.mower_link import MowerLink
from edge_gateway.device_gateway.mammotion.mower_settings import MowerSettings
from edge_gateway.device_gateway.mammotion.observer import Observer
from edge_gateway.device_gateway.mammotion.orders import Orders
from edge_gateway.device_gateway.mammotion.reading import Reading
from edge_gateway.device_gateway.mammotion.report_stream import ReportStream
from edge_gateway.device_gateway.mammotion.state_keeper import StateKeeper
from edge_gateway.device_gateway.mammotion.surroundings import Surroundings
from edge_gateway.device_gateway.mammotion.vendor_words import read_problem_log
from edge_gateway.device_gateway.provider import (
    Driver,
    DriverAvailability,
    DriverListener,
    DriverState,
    LoggedProblem,
    MayMove,
    Start,
)


class MammotionDriver(Driver):
    """One mower. It exists before the vendor account is connected, and outlives each of its connections."""

    def __init__(
        self,
        vendor_key: str,
        surroundings: Surroundings[MammotionDriver],
        memory: Memory,
        *,
        mower_id: str,
        account_id: str,
    ) -> None:
        """Be out of reach until `attach`, which the surroundings call when there is a link."""
        self.capabilities = capabilities_of(vendor_key, None)
        self.vendor_key = vendor_key
        self._around = surroundings
        self._settings = surroundings.settings
        self._memory = memory
        self._firmware: str | None = None
        self._listener: DriverListener | None = None
        self._availability = DriverAvailability(available=False, reason="not_connected")
        self._account_problem: str | None = "not_connected"
        self._map = MapKeeper(memory, surroundings.clock, mower_id=mower_id, account_id=account_id)
        self._states = StateKeeper(memory, self._map, surroundings.clock)
        self._observer = Observer(surroundings.clock, heard=self._heard, link_changed=self._link_changed)
        self._connection: Connection | None = None
        self._order_lock = asyncio.Lock()
        self.bluetooth = surroundings.make_bluetooth(vendor_key, self._bluetooth_changed)

    @property
    def followed(self) -> bool:
        """Whether somebody listens."""
        return self._listener is not None

    @property
    @override
    def state(self) -> DriverState | None:
        return self._states.state

    @property
    @override
    def availability(self) -> DriverAvailability:
        return self._availability

    @property
    @override
    def map(self) -> MowerMap | None:
        return self._map.current

    @property
    @override
    def settings(self) -> tuple[Setting, ...]:
        return () if self._connection is None else self._connection.settings.list()

    @property
    @override
    def problem_log(self) -> tuple[LoggedProblem, ...]:
        return () if self._connection is None else read_problem_log(self._connection.link.device)

    @override
    async def start(self, listener: DriverListener) -> None:
        await self._memory.load()
        self._listener = listener
        if self.bluetooth is not None:
            self.bluetooth.start()
        await self._around.connect(self)
        await self._tell_availability()

    @override
    async def stop(self) -> None:
        self._listener = None
        if self.bluetooth is not None:
            await self.bluetooth.stop()
        await self._disconnect()
        await self._memory.flush()

    async def attach(self, link: MowerLink, *, account_problem: str | None = None) -> None:
        """Reach the mower through this link from now on; with a problem of the account over Bluetooth alone."""
        self._account_problem = account_problem
        if self.bluetooth is not None:
            await self.bluetooth.attach(link.handle)
        if self._connection is not None and self._connection.link.handle is link.handle:
            self._link_changed()
            return
        await self._disconnect()
        stream = ReportStream(link, seconds=self._settings.stream_seconds)
        follower = Follower(link, self._observer, stream, self._settings, looked=self._looked)
        self._connection = Connection(
            link=link,
            stream=stream,
            follower=follower,
            orders=Orders(link, self._observer, stream, self._settings),
            settings=MowerSettings(link, self._observer, self._settings),
            subscriptions=(
                link.handle.subscribe_map_updated(self._map_updated),
                link.handle.subscribe_sent(follower.sent),
            ),
        )
        self._states.recall(link.device)
        self._observer.attach(link.handle)
        if self._listener is not None:
            self._connection.run()
            await self._map_updated()

    async def detach(self, reason: str) -> None:
        """Be out of reach for this reason (a code)."""
        await self._disconnect()
        self._account_problem = reason
        await self._tell_availability()

    @override
    async def refresh(self) -> DriverState:
        connection = self._connected()
        with connection.follower.order():
            await connection.ask_state(self._observer, self._settings)
        if self._states.state is None:
            raise unavailable("silent")
        return self._states.state

    @override
    async def start_mow(self, start: Start, may_move: MayMove) -> str:
        async with self._ordering() as connection:
            reading = await connection.orders.prepare()
            zones = await self._map.zone_hashes(connection.link, start.area_ids, reading)
            settings = await connection.job_settings(start.pattern, reading, self._memory.content.settings)
            job_id = new_id()
            planned = self._states.expect_job(job_id, area_ids=start.area_ids, settings=settings)
            try:
                await connection.orders.start(reading, zones, settings, may_move, planned=planned)
            except UnavailableError, UnsafeError, OrderExpiredError, LeaseLostError:
                # It certainly does not begin.
                self._states.forget_job(job_id)
                raise
            await self._memory.flush()
            await connection.orders.see_working()
            return job_id

    @override
    async def resume(self, may_move: MayMove) -> None:
        async with self._ordering() as connection:
            await connection.orders.resume(await connection.orders.prepare(), may_move)

    @override
    async def pause(self, may_move: MayMove) -> None:
        async with self._ordering() as connection:
            await connection.orders.pause(may_move)

    @override
    async def return_to_dock(self, may_move: MayMove) -> None:
        async with self._ordering() as connection:
            await connection.orders.return_to_dock(await connection.orders.prepare(), may_move)

    @override
    async def cancel_job(self, may_move: MayMove) -> None:
        async with self._ordering() as connection:
            await connection.orders.cancel_job(may_move)

    @override
    async def put_setting(self, key: str, value: Any) -> None:
        async with self._ordering() as connection:
            if key not in {setting.key for setting in connection.settings.list()}:
                raise InvalidError("unknown_setting", f"This mower has no setting {key}.", field="setting_key")
            await connection.orders.prepare()
            await connection.settings.put(key, value)

    @asynccontextmanager
    async def _ordering(self) -> AsyncIterator[Connection]:
        """One order at a time, watched closely from before its first frame until some time after it."""
        async with self._order_lock:
            connection = self._connected()
            with connection.follower.order():
                yield connection

    def _connected(self) -> Connection:
        """Return the connection; raises `UnavailableError` when there is none."""
        connection = self._connection
        if connection is None or (self._account_problem is not None and not connection.link.over_bluetooth):
            raise unavailable_account(self._account_problem)
        return connection

    async def _heard(self, reading: Reading) -> None:
        metrics.REPORTS.labels(self._around.vendor_account_id).inc()
        connection = self._connection
        state = self._states.hear(reading, None if connection is None else connection.link.device)
        if connection is not None:
            connection.follower.heard(reading)
        if self._listener is not None:
            await self._listener.state_changed(state)

    async def _tell_firmware(self) -> None:
        if self._connection is None:
            return
        device = self._connection.link.device
        self.capabilities = capabilities_of(self.vendor_key, device)
        if (firmware := firmware_of(device)) is not None and firmware != self._firmware:
            self._firmware = firmware
            await self._around.introduced()

    async def _looked(self) -> None:
        connection = self._connection
        if connection is not None and self.bluetooth is not None:
            await connection.keep_to(self.bluetooth)
        await self._tell_availability()
        await self._tell_firmware()
        if self._connection is not None and self._map.lacks_origin(self._connection.link):
            await self._map_updated()
        resting = self.state is not None and self.state.activity not in BUSY and self._availability.available
        if self._connection is not None and resting and not self._order_lock.locked():
            await self._connection.settings.read_when_due()
        await self._memory.flush()

    def _link_changed(self) -> None:
        if self._connection is not None:
            self._connection.link.wake_waiters()
            self._connection.follower.nudge()

    async def _map_updated(self) -> None:
        changed = None if self._connection is None else self._map.update(self._connection.link)
        if changed is not None and self._listener is not None:
            await self._listener.map_changed(changed)

    async def _tell_availability(self) -> None:
        facts = facts_of(
            self._connection,
            bluetooth=self.bluetooth,
            account_problem=self._account_problem,
            latest=self._observer.latest,
            now=self._around.clock.now(),
        )
        availability = availability_of(facts)
        if availability == self._availability:
            return
        self._availability = availability
        if self._listener is not None:
            await self._listener.availability_changed(availability)

    @override
    def prefer_links(self, preference: LinkPreference) -> None:
        if self.bluetooth is not None:
            self.bluetooth.prefer(preference)
            self._link_changed()

    async def _bluetooth_changed(self) -> None:
        """Hear that the Bluetooth link came or went, or that it can be had now."""
        self._link_changed()
        if self._connection is None and self.followed:
            await self._around.connect(self)

    async def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        self._observer.detach()
        if connection is not None:
            await connection.end()
