"""The emulation as a whole: one account, its mowers, the cloud in front of them, the passing of time."""

import asyncio
import time
from typing import Any

from aiohttp import web

from tests.emulators.mammotion.account import EmulatedAccount
from tests.emulators.mammotion.broker import CloudBroker
from tests.emulators.mammotion.cloud import EmulatedCloud
from tests.emulators.mammotion.control import Control
from tests.emulators.mammotion.faults import Faults
from tests.emulators.mammotion.garden import Garden, Model, default_garden
from tests.emulators.mammotion.member import Member
from tests.emulators.mammotion.mower import EmulatedMower

TICK_SECONDS = 0.05


class MammotionEmulator:
    """An emulated Mammotion cloud with one account."""

    def __init__(self, *, speed: float = 1.0, report_period_factor: float = 1.0) -> None:
        """Let mowers live `speed` times faster than the clock."""
        self.account = EmulatedAccount()
        self.faults = Faults()
        self.broker = CloudBroker()
        self.members: dict[str, Member] = {}
        self.cloud = EmulatedCloud(
            account=self.account,
            members=self.members,
            faults=self.faults,
            broker_port=lambda: self.broker.port,
        )
        self.speed = speed
        self.url = ""
        self._report_period_factor = report_period_factor
        self._runner: web.AppRunner | None = None
        self._life: asyncio.Task[None] | None = None

    async def start(self, *, host: str = "127.0.0.1", port: int = 0) -> None:
        """Listen and let time pass."""
        await self.broker.start()
        app = web.Application(middlewares=[self.cloud.meet_faults])
        app.add_routes([*self.cloud.routes(), *Control(self).routes()])
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, host, port).start()
        bound = self._runner.addresses[0]
        self.url = f"http://{bound[0]}:{bound[1]}"
        self._life = asyncio.get_running_loop().create_task(self._live())

    async def stop(self) -> None:
        """Stop everything."""
        if self._life is not None:
            self._life.cancel()
            await asyncio.gather(self._life, return_exceptions=True)
        for member in self.members.values():
            await member.stop()
        await self.broker.stop()
        if self._runner is not None:
            await self._runner.cleanup()

    def add_mower(
        self, name: str = "Luba-VPEMU0001", *, garden: Garden | None = None, model: Model | None = None
    ) -> Member:
        """Put one more mower into the account."""
        mower = EmulatedMower(
            name, garden=garden or default_garden(), model=model or Model(), faults=self.faults.of(name)
        )
        member = Member(mower, iot_id=f"iot-{name}", publish=self.broker.publish)
        member.conversation.reports.period_factor = self._report_period_factor
        self.members[member.iot_id] = member
        return member

    def member(self, name: str | None = None) -> Member:
        """Return a mower by its name, the first one without; raises `KeyError`."""
        for member in self.members.values():
            if name in {None, member.name}:
                return member
        raise KeyError(name)

    def put_faults(self, document: dict[str, Any]) -> None:
        """Replace all faults by the ones of a document."""
        self.faults.replace(document)
        for member in self.members.values():
            member.mower.faults = self.faults.of(member.name)

    async def _live(self) -> None:
        before = time.monotonic()
        while True:
            await asyncio.sleep(TICK_SECONDS)
            now = time.monotonic()
            for member in self.members.values():
                member.mower.live((now - before) * self.speed)
            before = now
