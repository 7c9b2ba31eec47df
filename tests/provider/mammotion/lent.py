"""A mower near a Home Assistant that lends its Bluetooth: the API's door, the bus, the device gateway's room."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web
from pymammotion.proto import LubaMsg

from edge_gateway.api.asking import Services
from edge_gateway.api.http import answer_errors
from edge_gateway.api.lending.socket import LendingSocket
from edge_gateway.api.server import HttpServer
from edge_gateway.bus.memory import MemoryBus, MemoryServer
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.device_gateway.lent_bluetooth.lending_desk import LendingDesk
from edge_gateway.device_gateway.mammotion.settings import MammotionSettings
from tests.emulators.home_assistant_bluetooth.lender import EmulatedHomeAssistant
from tests.emulators.mammotion.emulator import MammotionEmulator
from tests.provider.mammotion.near import Near, near
from tests.service.device_gateway.vendor_accounts.office import OWNER, answer_for_the_fleet

TOKEN = "the-token-of-a-test"  # noqa: S105  # opens one test's server
HEADERS = {"Authorization": f"Bearer {TOKEN}", "X-MowDeck-Principal": OWNER, "X-MowDeck-API": "1"}


_HEADER_BYTES = 4
"""Of a BluFi frame."""


class Lent:
    """The place, the door to it, and who stands before it."""

    def __init__(self, place: Near, bus: MemoryBus) -> None:
        """Open nothing yet."""
        self.place = place
        self.home = EmulatedHomeAssistant([place.face.peripheral])
        self.url = ""
        self.desk = LendingDesk(place.lent, bus=bus, instance_id="one")
        self._door = LendingSocket(Services(bus, timeout_seconds=5), token=TOKEN)
        application = web.Application(middlewares=[answer_errors])
        application.router.add_get("/api/v1/bluetooth", self._door.handle)
        self._server = HttpServer(application, host="127.0.0.1", port=0)

    async def start(self) -> None:
        """Open the door and let Home Assistant dial."""
        await self.desk.start()
        self.url = f"http://127.0.0.1:{await self._server.start()}/api/v1/bluetooth"
        self.home.start(self.url, HEADERS)

    async def connected_more_often_than(self, before: int) -> None:
        """Wait until the mower was connected once more."""
        await self.place.until(lambda: self.place.face.peripheral.connects > before)

    async def stop(self) -> None:
        """Close it."""
        await self.home.stop()
        self._door.stop()
        await self._server.stop()
        await self.desk.stop()


def moves_the_mower(data: bytes) -> bool:
    """Tell whether a written BluFi frame is an order to move; those are short enough for one frame."""
    message = LubaMsg().parse(data[_HEADER_BYTES:])
    return message.nav is not None and message.nav.todev_taskctrl is not None


@asynccontextmanager
async def lent(emulator: MammotionEmulator, mammotion: MammotionSettings) -> AsyncIterator[Lent]:
    """Open it."""
    clock = SystemClock()
    bus = MemoryBus(clock, server=MemoryServer(clock))
    await answer_for_the_fleet(bus)
    async with near(emulator, mammotion) as place:
        opened = Lent(place, bus)
        await opened.start()
        try:
            yield opened
        finally:
            await opened.stop()
            await bus.close()
