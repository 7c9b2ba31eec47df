"""What a driver has only while the vendor account is connected."""

import asyncio
from datetime import datetime, timedelta
from typing import Any

import msgspec
import structlog
from pymammotion.transport.base import Subscription

from edge_gateway.contracts.errors import DeadlineError, MowDeckError
from edge_gateway.contracts.mower import LinkKind
from edge_gateway.device_gateway.mammotion.availability import LinkFacts, cloud_works
from edge_gateway.device_gateway.mammotion.bluetooth_link import BluetoothLink
from edge_gateway.device_gateway.mammotion.errors import unavailable
from edge_gateway.device_gateway.mammotion.follower import Follower
from edge_gateway.device_gateway.mammotion.mower_link import MowerLink
from edge_gateway.device_gateway.mammotion.mower_settings import MowerSettings
from edge_gateway.device_gateway.mammotion.observer import Observer
from edge_gateway.device_gateway.mammotion.orders import FRESH_SECONDS, Orders
from edge_gateway.device_gateway.mammotion.reading import Reading
from edge_gateway.device_gateway.mammotion.report_stream import ReportStream
from edge_gateway.device_gateway.mammotion.route_settings import RouteSettings, choose
from edge_gateway.device_gateway.mammotion.settings import MammotionSettings
from edge_gateway.device_gateway.mammotion.vendor_words import read_limits, read_settings, sets_blade_height

_log = structlog.get_logger(__name__)


class Connection(msgspec.Struct, kw_only=True):
    """The parts that work over one connection, and the task that follows the mower."""

    link: MowerLink
    stream: ReportStream
    follower: Follower
    orders: Orders
    settings: MowerSettings
    subscriptions: tuple[Subscription, ...]
    task: asyncio.Task[None] | None = None

    async def job_settings(
        self, pattern: dict[str, Any] | None, reading: Reading, remembered: RouteSettings | None
    ) -> RouteSettings:
        """Return the settings of a new job: what the user named, else what the mower mowed with last.

        Raises `InvalidError` naming the field, `UnsafeError` (`blade_height_unknown`).
        """
        own = read_settings(self.link.device) or remembered or await self.orders.own_settings()
        return choose(
            pattern,
            own=own,
            limits=read_limits(self.link.device),
            current_blade_height_mm=reading.knife_height_mm,
            sets_blade_height=sets_blade_height(self.link.name),
        )

    async def ask_state(self, observer: Observer, settings: MammotionSettings) -> None:
        """Return when the mower has just told its state; raises `UnavailableError` (`silent`) when it does not."""
        await self.link.require_connection(seconds=settings.connect_seconds)
        fresh = self.stream.running and observer.report_age_seconds <= FRESH_SECONDS
        if fresh and not self.link.cloud_says_offline:
            return
        if self.stream.running or self.link.asleep:
            try:
                await self.orders.prepare()
            except DeadlineError:
                raise unavailable("silent") from None
        else:
            await self.stream.ask_once(seconds=settings.answer_seconds, person=True)

    async def keep_to(self, bluetooth: BluetoothLink) -> None:
        """See that the mower's links are used as its owner wants it, and that one over which it is silent is let go."""
        if self.follower.silent:
            await bluetooth.fell_silent()
        try:
            await self.link.use_cloud(allowed=bluetooth.preference.allows(LinkKind.CLOUD))
        except MowDeckError as error:
            _log.info("the cloud is not had back yet", mower=self.link.name, code=error.code)

    def run(self) -> None:
        """Follow the mower."""
        if self.task is None:
            self.task = asyncio.get_running_loop().create_task(self.follower.run())

    async def end(self) -> None:
        """Follow it no more; it goes on with what it does."""
        for subscription in self.subscriptions:
            subscription.cancel()
        if self.task is not None:
            self.task.cancel()
            await asyncio.gather(self.task, return_exceptions=True)


def facts_of(
    connection: Connection | None,
    *,
    bluetooth: BluetoothLink | None,
    account_problem: str | None,
    latest: Reading | None,
    now: datetime,
) -> LinkFacts:
    """Return what is known about the ways to a mower, and let its Bluetooth link know how the cloud is."""
    near = () if bluetooth is None else bluetooth.links()
    if connection is None:
        heard_at = None if latest is None else latest.observed_at
        facts = LinkFacts(account_problem=account_problem or "not_connected", heard_at=heard_at, bluetooth=near)
    else:
        age = connection.link.cloud_heard_seconds
        facts = LinkFacts(
            account_problem=account_problem,
            connected=connection.link.cloud_connected,
            cloud_says_offline=connection.link.cloud_reported_offline,
            asleep=connection.link.asleep,
            # Before the first report nobody knows yet.
            silent=connection.follower.silent or latest is None,
            heard_at=None if age is None else now - timedelta(seconds=age),
            bluetooth=near,
        )
    if bluetooth is not None:
        bluetooth.cloud_works(cloud_works(facts))
    return facts
