"""What a driver has only while the vendor account is connected."""

import asyncio

import msgspec
from pymammotion.transport.base import Subscription

from edge_gateway.device_gateway.mammotion.follower import Follower
from edge_gateway.device_gateway.mammotion.mower_link import MowerLink
from edge_gateway.device_gateway.mammotion.mower_settings import MowerSettings
from edge_gateway.device_gateway.mammotion.orders import Orders
from edge_gateway.device_gateway.mammotion.report_stream import ReportStream


class Connection(msgspec.Struct, kw_only=True):
    """The parts that work over one connection, and the task that follows the mower."""

    link: MowerLink
    stream: ReportStream
    follower: Follower
    orders: Orders
    settings: MowerSettings
    map_subscription: Subscription
    task: asyncio.Task[None] | None = None

    def run(self) -> None:
        """Follow the mower."""
        if self.task is None:
            self.task = asyncio.get_running_loop().create_task(self.follower.run())

    async def end(self) -> None:
        """Follow it no more; it goes on with what it does."""
        self.map_subscription.cancel()
        if self.task is not None:
            self.task.cancel()
            await asyncio.gather(self.task, return_exceptions=True)
