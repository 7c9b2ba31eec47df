"""From the owner's login to the mower on the lawn: the whole service with the real library and the emulated cloud."""

from collections.abc import AsyncIterator

import pytest

from edge_gateway.bus.memory import MemoryBus, MemoryServer
from edge_gateway.contracts import routes
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.contracts.commands import CommandKind, CommandStatus
from edge_gateway.contracts.errors import InvalidError
from edge_gateway.contracts.fleet import Asking, CreateVendorAccountRequest, VendorAccount
from edge_gateway.contracts.mower import Activity
from edge_gateway.database.pools import Pool
from edge_gateway.database.secrets import SecretBox
from edge_gateway.device_gateway.mammotion.vendor import MammotionVendor
from edge_gateway.device_gateway.service import DeviceGatewayService
from edge_gateway.device_gateway.settings import DeviceGatewaySettings, SimulatorSettings
from edge_gateway.device_gateway.vendor_accounts.accounts import VendorAccounts
from tests.emulators.mammotion.address import emulator_port
from tests.emulators.mammotion.loaded import fast_settings
from tests.eventually import eventually
from tests.service.device_gateway.outside import Outside
from tests.service.device_gateway.stand_in_fleet import StandInFleet
from tests.service.device_gateway.vendor_accounts.office import OWNER, answer_for_the_fleet

MAMMOTION = fast_settings()
# Only now: it brings the library in, which has to be loaded for the emulated cloud.
from tests.emulators.mammotion.emulator import MammotionEmulator  # noqa: E402

MOWER_ID = "fleet-Luba-VPEMU0001"


class House:
    """A gateway's service on a bus of its own, and who looks at it from outside."""

    def __init__(self, bus: MemoryBus, pool: Pool, box: SecretBox, clock: SystemClock) -> None:
        """Put it together."""
        self.outside = Outside(clock)
        self.bus = bus
        self.service = DeviceGatewayService(
            bus=bus,
            pool=pool,
            clock=clock,
            settings=DeviceGatewaySettings(confirm_seconds=10.0, retry_seconds=0.05),
            simulator=SimulatorSettings(mowers=0),
            instance_id="one",
            make_vendor_accounts=lambda host: VendorAccounts(
                host,
                bus=bus,
                pool=pool,
                clock=clock,
                box=box,
                vendors=[MammotionVendor(settings=MAMMOTION, clock=clock)],
                instance_id="one",
            ),
        )

    async def log_in(self, emulator: MammotionEmulator, password: str | None = None) -> VendorAccount:
        """Log in as the owner does."""
        question = CreateVendorAccountRequest(
            on_behalf_of=OWNER,
            account_id="home",
            provider="mammotion",
            username=emulator.account.username,
            password=password or emulator.account.password,
        )
        return await self.bus.request(routes.VENDOR_ACCOUNTS_CREATE, question, timeout_seconds=20)

    async def accounts(self) -> tuple[VendorAccount, ...]:
        """Return the logins."""
        question = Asking(on_behalf_of=OWNER, account_id="home")
        return (await self.bus.request(routes.VENDOR_ACCOUNTS_LIST, question)).items

    async def order(self, kind: CommandKind) -> CommandStatus:
        """Order and wait for the end."""
        command_id = await self.outside.order(kind, mower_id=MOWER_ID)
        return (await self.outside.final(command_id)).status

    async def is_doing(self, activity: Activity) -> None:
        """Wait until the mower is told to do this."""
        await self.outside.until(lambda: bool(self.outside.states) and self.outside.states[-1].activity is activity)


@pytest.fixture
async def emulator() -> AsyncIterator[MammotionEmulator]:
    """Return a cloud with one mower, twenty times as fast as life."""
    emulator = MammotionEmulator(speed=20, report_period_factor=0.1)
    await emulator.start(port=emulator_port())
    emulator.add_mower()
    yield emulator
    await emulator.stop()


@pytest.fixture
async def house(
    server: MemoryServer, clock: SystemClock, pool: Pool, box: SecretBox, emulator: MammotionEmulator
) -> AsyncIterator[House]:
    """Return a house whose service runs."""
    del emulator
    bus = MemoryBus(clock, server=server)
    fleet = StandInFleet()
    await answer_for_the_fleet(bus)
    await bus.reply(routes.MOWERS_REGISTER, fleet.register)
    await bus.reply(routes.TARGETS_RESOLVE, fleet.resolve)
    house = House(bus, pool, box, clock)
    await house.outside.listen(bus)
    await house.service.start()
    yield house
    await house.service.stop()
    await bus.close()


async def test_a_login_brings_the_mower_and_orders_reach_it(house: House, emulator: MammotionEmulator) -> None:
    account = await house.log_in(emulator)
    assert account.status == "connected"
    await house.is_doing(Activity.DOCKED)
    await house.outside.until(lambda: bool(house.outside.maps) and house.outside.maps[-1].complete)
    await house.outside.until(lambda: house.outside.availabilities[-1].available)
    assert await house.order(CommandKind.START_MOW) is CommandStatus.CONFIRMED
    await house.is_doing(Activity.MOWING)
    job = house.outside.states[-1].job
    assert job is not None
    assert job.command_id is not None
    assert await house.order(CommandKind.PAUSE) is CommandStatus.CONFIRMED
    assert await house.order(CommandKind.RESUME) is CommandStatus.CONFIRMED
    assert await house.order(CommandKind.RETURN_TO_DOCK) is CommandStatus.CONFIRMED
    await house.is_doing(Activity.DOCKED)
    assert await house.order(CommandKind.CANCEL_JOB) is CommandStatus.CONFIRMED
    assert emulator.account.password_logins == 1
    actions = [
        message.fields["action"]
        for message in emulator.member().conversation.received
        if message.name == "todev_taskctrl"
    ]
    assert actions == [1, 2, 3, 2, 5, 4]


async def test_a_wrong_password_keeps_nothing(house: House, emulator: MammotionEmulator) -> None:
    with pytest.raises(InvalidError) as caught:
        await house.log_in(emulator, "wrong")
    assert (caught.value.code, caught.value.field) == ("login_refused", "password")
    assert await house.accounts() == ()


async def test_a_login_that_ends_is_told_at_the_account_and_the_mower(
    house: House, emulator: MammotionEmulator
) -> None:
    await house.log_in(emulator)
    await house.is_doing(Activity.DOCKED)
    emulator.account.end_session()
    assert await house.order(CommandKind.REFRESH) in {CommandStatus.CONFIRMED, CommandStatus.FAILED}
    await house.outside.until(lambda: house.outside.availabilities[-1].reason == "account_rejected")

    async def rejected() -> bool:
        return (await house.accounts())[0].status == "rejected"

    await eventually(rejected)
    calls = len(emulator.cloud.calls)
    assert await house.order(CommandKind.START_MOW) is CommandStatus.FAILED
    assert len(emulator.cloud.calls) == calls
    assert emulator.account.password_logins == 1
