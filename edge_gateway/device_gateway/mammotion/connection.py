"""What a driver has only while the vendor account is connected."""

import asyncio
from datetime import datetime
from typing import Any

import msgspec
from pymammotion.transport.base import Subscription

from edge_gateway.device_gateway.mammotion.availability import LinkFacts
from edge_gateway.device_gateway.mammotion.follower import Follower
from edge_gateway.device_gateway.mammotion.mower_link import MowerLink
from edge_gateway.device_gateway.mammotion.mower_settings import MowerSettings
from edge_gateway.device_gateway.mammotion.orders import Orders
from edge_gateway.device_gateway.mammotion.reading import Reading
from edge_gateway.device_gateway.mammotion.report_stream import ReportStream
from edge_gateway.device_gateway.mammotion.route_settings import RouteSettings, choose
from edge_gateway.device_gateway.mammotion.vendor_words import read_limits, read_settings, sets_blade_height


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

    def facts(self, heard_at: datetime | None) -> LinkFacts:
        """Return what is known about the way to the mower, heard of last at this time."""
        return LinkFacts(
            connected=self.link.connected,
            cloud_says_offline=self.link.cloud_says_offline and not self.link.over_bluetooth,
            asleep=self.link.asleep,
            # Before the first report nobody knows yet.
            silent=self.follower.silent or heard_at is None,
            heard_at=heard_at,
        )

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
