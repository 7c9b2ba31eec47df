"""An emulated cloud with one mower, a provider that is logged in, a driver that follows the mower."""

from collections.abc import AsyncIterator

import pytest

from edge_gateway.contracts.clock import SystemClock
from edge_gateway.device_gateway.mammotion.settings import MammotionSettings
from edge_gateway.device_gateway.vendor_accounts.vendor import Login
from tests.emulators.mammotion.address import emulator_port
from tests.emulators.mammotion.loaded import fast_settings

SETTINGS = fast_settings()
# Only now: these bring the library in, which has to be loaded for the emulated cloud.
from edge_gateway.device_gateway.mammotion.provider import MammotionProvider  # noqa: E402
from tests.emulators.mammotion.emulator import MammotionEmulator  # noqa: E402
from tests.emulators.mammotion.member import Member  # noqa: E402
from tests.provider.mammotion.hands import Followed, MemoryKeeper, follow  # noqa: E402


@pytest.fixture
def settings() -> MammotionSettings:
    """Return settings with which nothing takes long."""
    return SETTINGS


@pytest.fixture
async def emulator() -> AsyncIterator[MammotionEmulator]:
    """Return a cloud with one mower, twenty times as fast as life."""
    emulator = MammotionEmulator(speed=20, report_period_factor=0.1)
    await emulator.start(port=emulator_port())
    emulator.add_mower()
    yield emulator
    await emulator.stop()


@pytest.fixture
def member(emulator: MammotionEmulator) -> Member:
    """Return the one mower."""
    return emulator.member()


@pytest.fixture
def keeper() -> MemoryKeeper:
    """Return what keeps tokens and memories."""
    return MemoryKeeper()


@pytest.fixture
async def provider(
    emulator: MammotionEmulator, keeper: MemoryKeeper, settings: MammotionSettings
) -> AsyncIterator[MammotionProvider]:
    """Return a provider that is logged in and not started."""
    login = Login(vendor_account_id="vendor-account-1", username=emulator.account.username)
    provider = MammotionProvider(login, keeper, secrets=None, rejected=False, settings=settings, clock=SystemClock())
    await provider.log_in(emulator.account.password)
    yield provider
    await provider.stop()


@pytest.fixture
async def mower(provider: MammotionProvider) -> AsyncIterator[Followed]:
    """Return the mower's driver, followed, reached, its map known."""
    followed = await follow(provider)
    await followed.ready()
    yield followed
    await followed.driver.stop()
