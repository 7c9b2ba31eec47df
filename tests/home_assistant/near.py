"""A mower near Home Assistant's own Bluetooth: the real integration, a scanner of ours, an emulated peripheral."""

from collections.abc import Callable
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component

from tests.emulators.esphome_bridge.peripheral import Characteristic, Peripheral
from tests.emulators.gateway.documents import Json
from tests.emulators.gateway.gateway import EmulatedGateway
from tests.emulators.gateway.lending import Lending

NAME = "Luba-VSAB1234"
ADDRESS = "C0:FF:EE:00:00:01"
SERVICE = "0000ffff-0000-1000-8000-00805f9b34fb"
WRITE = "0000ff01-0000-1000-8000-00805f9b34fb"
NOTIFY = "0000ff02-0000-1000-8000-00805f9b34fb"
LONG_MS = 20_000


class NearMower:
    """A peripheral that keeps what is written to it and says what it is told to."""

    def __init__(self, *, mac: str = ADDRESS, name: str = NAME) -> None:
        """Have a mower's characteristics."""
        self.heard: list[bytes] = []
        self.say: Callable[[str, bytes], None] | None = None
        """How it notifies; None while nobody is connected."""
        self.peripheral = Peripheral(
            mac=mac,
            name=name,
            service=SERVICE,
            characteristics=[Characteristic(uuid=WRITE, properties=8), Characteristic(uuid=NOTIFY, properties=18)],
            connected=self._connected,
            disconnected=self._disconnected,
            written=lambda _uuid, data: self.heard.append(data),
        )

    def notify(self, data: bytes) -> None:
        """Say something."""
        assert self.say is not None
        self.say(NOTIFY, data)

    def _connected(self, say: Callable[[str, bytes], None]) -> None:
        self.say = say

    def _disconnected(self) -> None:
        self.say = None


async def have_bluetooth(hass: HomeAssistant) -> None:
    """Set Home Assistant's Bluetooth up, without an adapter of this machine."""
    assert await async_setup_component(hass, "bluetooth", {})


async def connect(lending: Lending, connection_id: str = "c1", **fields: Any) -> Json:  # noqa: ANN401  # JSON
    """Connect to the mower, as the gateway."""
    told = {"address": ADDRESS, "source": None, "budget_ms": LONG_MS} | fields
    await lending.tell("connect", id=connection_id, **told)
    return await lending.hear("connected", id=connection_id)


async def write(
    lending: Lending, seq: int, data: bytes, *, connection_id: str = "c1", budget_ms: int = LONG_MS
) -> None:
    """Write to the mower, as the gateway."""
    await lending.tell(
        "write", id=connection_id, seq=seq, characteristic=WRITE, data=data, response=True, budget_ms=budget_ms
    )


async def refused(gateway: EmulatedGateway, code: str, **fields: Any) -> Json:  # noqa: ANN401  # JSON
    """Try to connect, as the gateway; return why it could not be."""
    told = {"address": ADDRESS, "source": None, "budget_ms": LONG_MS} | fields
    await gateway.lending.tell("connect", id="refused", **told)
    return await gateway.lending.hear("disconnected", id="refused", code=code)
