"""A mower with bridges near it: the emulated mower behind emulated bridges, and the gateway's side of both."""

import base64
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime

from edge_gateway.contracts.bridges import BridgeCode
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.contracts.mower import Link, LinkKind
from edge_gateway.device_gateway.bridges.client import Target
from edge_gateway.device_gateway.bridges.health.book import HealthBook
from edge_gateway.device_gateway.bridges.neighbourhood import Neighbourhood
from edge_gateway.device_gateway.bridges.settings import BridgesSettings
from edge_gateway.device_gateway.lent_bluetooth.lent_bluetooth import LentBluetooth
from edge_gateway.device_gateway.mammotion.bluetooth_link import BluetoothLink, Changed
from edge_gateway.device_gateway.mammotion.provider import MammotionProvider
from edge_gateway.device_gateway.mammotion.settings import MammotionSettings
from edge_gateway.device_gateway.near_bluetooth import NearBluetooth
from edge_gateway.device_gateway.radio import Radio
from edge_gateway.device_gateway.vendor_accounts.vendor import Login
from tests.emulators.esphome_bridge.bridge import EmulatedBridge
from tests.emulators.esphome_bridge.mower_face import MowerFace
from tests.emulators.esphome_bridge.peripheral import Characteristic, Peripheral
from tests.emulators.mammotion.emulator import MammotionEmulator
from tests.emulators.mammotion.faults import HttpFault
from tests.eventually import eventually
from tests.provider.mammotion.hands import Followed, MemoryKeeper, follow

KEY = base64.b64encode(b"k" * 32).decode()
OTHER_KEY = base64.b64encode(b"x" * 32).decode()
WAIT_SECONDS = 25.0


def fast_bridges() -> BridgesSettings:
    """Return settings with which nothing takes long."""
    return BridgesSettings(
        silence_seconds=1.5,
        check_seconds=0.2,
        connect_seconds=3,
        write_seconds=1,
        retry_seconds=0.2,
        retry_maximum_seconds=1,
    )


class Near:
    """A provider whose mower is near bridges."""

    def __init__(self, emulator: MammotionEmulator, mammotion: MammotionSettings, bridges: BridgesSettings) -> None:
        """Put it together; nothing runs yet."""
        self.emulator = emulator
        self.member = emulator.member()
        self.face = MowerFace(self.member)
        self.settings = bridges
        self.remembered: dict[str, str] = {}
        self.radio = Radio()
        self.neighbourhood = Neighbourhood(self.radio, bridges, remember=self._remember)
        self.lent = LentBluetooth(self.radio, bridges)
        self.bluetooth = NearBluetooth([self.neighbourhood, self.lent])
        self.keeper = MemoryKeeper()
        self.bridges: list[EmulatedBridge] = []
        self.health = HealthBook()
        self.provider = MammotionProvider(
            Login(vendor_account_id="vendor-account-1", username=emulator.account.username),
            self.keeper,
            secrets=None,
            rejected=False,
            settings=mammotion,
            clock=SystemClock(),
            bluetooth=self.link,
        )

    def link(self, name: str, changed: Changed) -> BluetoothLink:
        """Return the Bluetooth link of a mower, as its driver gets it."""
        return BluetoothLink(name, self.bluetooth, self.settings, SystemClock(), changed=changed)

    async def _remember(self, name: str, address: str) -> None:
        self.remembered[name] = address

    async def add(self, bridge: EmulatedBridge, *, key: str | None = None, bridge_id: str = "bridge-1") -> None:
        """Start a bridge and let the gateway use it, with this key instead of its own."""
        await bridge.start()
        await self.add_again(bridge, key=key, bridge_id=bridge_id)

    async def add_again(
        self,
        bridge: EmulatedBridge,
        *,
        key: str | None = None,
        bridge_id: str = "bridge-1",
        expected_mac: str | None = None,
    ) -> None:
        """Let the gateway use a bridge that runs."""
        if bridge not in self.bridges:
            self.bridges.append(bridge)
        key = key or bridge.key
        target = Target(bridge_id=bridge_id, host="127.0.0.1", port=bridge.port, key=key, expected_mac=expected_mac)
        await self.neighbourhood.put(target)

    def wrong(self) -> set[BridgeCode]:
        """Look at the bridges' health; return what is wrong."""
        for bridge_id, bridge in self.neighbourhood.bridges.items():
            self.health.look(bridge_id, bridge_id, bridge.facts(), now=datetime.now(UTC))
        return {finding.code for finding in self.health.findings(self.neighbourhood.bridges)}

    async def until(self, true: Callable[[], bool]) -> None:
        """Wait until something is true."""

        async def look() -> bool:
            return true()

        await eventually(look, seconds=WAIT_SECONDS)

    def far_view(self, *, rssi: int) -> Peripheral:
        """Return the same mower as a bridge farther away sees it."""
        face = self.face.peripheral
        return Peripheral(
            mac=face.mac,
            name=face.name,
            service=face.service,
            characteristics=[Characteristic(uuid=one.uuid, properties=one.properties) for one in face.characteristics],
            connected=face.connected,
            disconnected=face.disconnected,
            written=face.written,
            rssi=rssi,
        )

    async def follow(self, *, logged_in: bool = True) -> Followed:
        """Log in and follow the mower."""
        if logged_in:
            await self.provider.log_in(self.emulator.account.password)
        return await follow(self.provider)

    async def stop(self) -> None:
        """Stop everything."""
        await self.provider.stop()
        self.lent.stop()
        await self.neighbourhood.stop()
        self.radio.stop()
        for bridge in self.bridges:
            await bridge.stop()


@asynccontextmanager
async def near(
    emulator: MammotionEmulator, mammotion: MammotionSettings, bridges: BridgesSettings | None = None
) -> AsyncIterator[Near]:
    """Open it."""
    opened = Near(emulator, mammotion, bridges or fast_bridges())
    opened.neighbourhood.start({})
    try:
        yield opened
    finally:
        await opened.stop()


def link_of(mower: Followed, kind: LinkKind) -> Link | None:
    """Return how one of the mower's links is told to be."""
    return next((link for link in mower.driver.availability.links if link.kind is kind), None)


async def uses(mower: Followed, kind: LinkKind) -> None:
    """Wait until this is the link in use."""

    async def used() -> bool:
        link = link_of(mower, kind)
        return link is not None and link.current

    await eventually(used, seconds=WAIT_SECONDS)


async def cut(emulator: MammotionEmulator) -> None:
    """Take the vendor's cloud away, requests and answers."""
    emulator.faults.http.append(HttpFault(path="", status=503))
    await emulator.broker.cut()


async def restore(emulator: MammotionEmulator) -> None:
    """Give it back."""
    emulator.faults.http.clear()
    await emulator.broker.restore()
