"""Mammotion over the cloud on the bench: the real library against the emulated cloud and mower."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, override

from edge_gateway.contracts.clock import SystemClock
from edge_gateway.device_gateway.vendor_accounts.vendor import Login, Secrets
from tests.emulators.mammotion.address import emulator_port
from tests.emulators.mammotion.loaded import fast_settings
from tests.provider.conformance.bench import Bench

if TYPE_CHECKING:
    from edge_gateway.device_gateway.provider import Provider
    from tests.emulators.mammotion.emulator import MammotionEmulator

# Slow enough that a job does not end within a test, fast enough that nobody waits on the way to the lawn.
_SPEED = 20


class MammotionBench(Bench):
    """One emulated mower behind the emulated cloud."""

    wait_seconds = 10.0
    setting: tuple[str, Any] = ("blade_height", 55)

    def __init__(self, emulator: MammotionEmulator, provider: Provider) -> None:
        """Put the emulation's mower on it."""
        self.provider = provider
        self._member = emulator.member()

    @override
    def frames(self) -> int:
        return sum(message.name == "todev_taskctrl" for message in self._member.conversation.received)

    @override
    async def break_link(self) -> None:
        self._member.faults.offline = True
        self._member.tell_status(online=False)

    @override
    async def mend_link(self) -> None:
        self._member.faults.offline = False
        self._member.tell_status(online=True)

    @override
    async def silence(self) -> None:
        self._member.faults.silent = True

    @override
    async def refuse(self) -> None:
        self._member.faults.refuse_orders = 9


@asynccontextmanager
async def open_cloud() -> AsyncIterator[Bench]:
    """Open the bench of a mower that is reached over the vendor's cloud."""
    settings = fast_settings()
    # These bring the library in, which is loaded only now.
    from edge_gateway.device_gateway.mammotion.provider import MammotionProvider  # noqa: PLC0415  # as said above
    from tests.emulators.mammotion.emulator import MammotionEmulator  # noqa: PLC0415  # as said above
    from tests.provider.mammotion.hands import MemoryKeeper  # noqa: PLC0415  # as said above

    emulator = MammotionEmulator(speed=_SPEED, report_period_factor=0.1)
    await emulator.start(port=emulator_port())
    emulator.add_mower()
    keeper = MemoryKeeper()
    provider = MammotionProvider(
        Login(vendor_account_id="vendor-account-1", username=emulator.account.username),
        keeper,
        # A login whose tokens were never kept: the first start logs in.
        secrets=Secrets(password=emulator.account.password),
        rejected=False,
        settings=settings,
        clock=SystemClock(),
    )
    yield MammotionBench(emulator, provider)
    await provider.stop()
    await emulator.stop()
