"""What tests of the provider hold in their hands: a keeper in memory, a driver with who hears it."""

import asyncio
from collections.abc import Callable
from typing import override

from edge_gateway.contracts.clock import SystemClock
from edge_gateway.contracts.errors import UnavailableError
from edge_gateway.contracts.map import MowerMap
from edge_gateway.contracts.mower import Activity
from edge_gateway.device_gateway.mammotion.provider import MammotionProvider
from edge_gateway.device_gateway.mammotion.settings import MammotionSettings
from edge_gateway.device_gateway.provider import (
    Driver,
    DriverAvailability,
    DriverListener,
    DriverState,
    FoundMower,
    ProviderListener,
    Start,
)
from edge_gateway.device_gateway.vendor_accounts.vendor import AccountKeeper, AccountStatus, Login, Secrets
from tests.emulators.mammotion.conversation import Received
from tests.emulators.mammotion.emulator import MammotionEmulator
from tests.emulators.mammotion.member import Member
from tests.eventually import eventually

SECONDS = 10.0


class MemoryKeeper(AccountKeeper):
    """Keeps everything in memory, and can be made to refuse."""

    def __init__(self) -> None:
        """Keep nothing yet."""
        self.tokens: str | None = None
        self.saves = 0
        self.refuse = False
        self.statuses: list[tuple[AccountStatus, str | None]] = []
        self.memories: dict[str, bytes] = {}

    @override
    async def save_tokens(self, tokens: str) -> None:
        if self.refuse:
            raise UnavailableError("database_unavailable", "The database cannot be reached.")
        self.tokens = tokens
        self.saves += 1

    @override
    async def status_changed(self, status: AccountStatus, detail: str | None = None) -> None:
        self.statuses.append((status, detail))

    @override
    async def load(self, vendor_key: str) -> bytes | None:
        return self.memories.get(vendor_key)

    @override
    async def save(self, vendor_key: str, content: bytes) -> None:
        self.memories[vendor_key] = content


class Found(ProviderListener):
    """Hears which mowers are found."""

    def __init__(self) -> None:
        """Begin with none."""
        self.mowers: list[FoundMower] = []
        self._news = asyncio.Event()

    @override
    async def mower_found(self, found: FoundMower) -> None:
        self.mowers.append(found)
        self._news.set()

    async def first(self) -> FoundMower:
        """Return the first mower that is found."""
        await self.until(lambda: bool(self.mowers))
        return self.mowers[0]

    async def until(self, true: Callable[[], bool]) -> None:
        """Wait until something is true, looked at after each mower that is found."""
        async with asyncio.timeout(SECONDS):
            while not true():
                self._news.clear()
                await self._news.wait()


class Heard(DriverListener):
    """Remembers what a driver told."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.states: list[DriverState] = []
        self.availabilities: list[DriverAvailability] = []
        self.maps: list[MowerMap] = []
        self.news = asyncio.Event()

    @override
    async def state_changed(self, state: DriverState) -> None:
        self.states.append(state)
        self.news.set()

    @override
    async def availability_changed(self, availability: DriverAvailability) -> None:
        self.availabilities.append(availability)
        self.news.set()

    @override
    async def map_changed(self, mower_map: MowerMap) -> None:
        self.maps.append(mower_map)
        self.news.set()


class Followed:
    """A driver that is followed."""

    def __init__(self, driver: Driver, heard: Heard, found: Found) -> None:
        """Keep them together."""
        self.driver = driver
        self.heard = heard
        self.found = found
        self.asked = 0

    async def may_move(self) -> None:
        """Let every frame through."""
        self.asked += 1

    async def until(self, true: Callable[[], bool], *, seconds: float = SECONDS) -> None:
        """Wait until something is true, looked at after each thing heard."""
        async with asyncio.timeout(seconds):
            while not true():
                self.heard.news.clear()
                await self.heard.news.wait()

    async def ready(self) -> None:
        """Wait until the mower is reached, and its state, map and place are known."""
        await self.until(
            lambda: (
                self.driver.availability.available
                and self.driver.state is not None
                and self.driver.map is not None
                and self.driver.map.complete
            )
        )

    async def settled(self) -> None:
        """Wait until everything was asked that is asked once."""

        async def told() -> bool | None:
            return any(setting.key == "vendor_plans" for setting in self.driver.settings) or None

        await self.seen(lambda state: state.position is not None)
        await eventually(told)

    async def seen(self, true: Callable[[DriverState], bool]) -> DriverState:
        """Wait until the last state is so; return it."""
        await self.until(lambda: bool(self.heard.states) and true(self.heard.states[-1]))
        return self.heard.states[-1]

    async def is_doing(self, activity: Activity) -> DriverState:
        """Wait until the mower does this."""
        return await self.seen(lambda state: state.activity is activity)

    async def available(self, *, reason: str | None) -> None:
        """Wait until the mower is unavailable for this reason, available for null."""
        await self.until(lambda: self.driver.availability.reason == reason)

    def area_ids(self, *names: str) -> tuple[str, ...]:
        """Return our ids of areas by their names; all without names."""
        assert self.driver.map is not None
        return tuple(area.id for area in self.driver.map.areas if not names or area.name in names)

    async def start_mowing(self, *names: str) -> str:
        """Start a new job and wait until the mower is seen mowing."""
        job_id = await self.driver.start_mow(Start(area_ids=self.area_ids(*names)), self.may_move)
        await self.is_doing(Activity.MOWING)
        return job_id


def restarted(
    emulator: MammotionEmulator, keeper: MemoryKeeper, settings: MammotionSettings, *, rejected: bool = False
) -> MammotionProvider:
    """Return the provider of the next process."""
    return MammotionProvider(
        Login(vendor_account_id="vendor-account-1", username=emulator.account.username),
        keeper,
        secrets=Secrets(password=emulator.account.password, tokens=keeper.tokens),
        rejected=rejected,
        settings=settings,
        clock=SystemClock(),
    )


async def follow(provider: MammotionProvider) -> Followed:
    """Start a provider and follow its first mower."""
    found, heard = Found(), Heard()
    await provider.start(found)
    driver = provider.driver(await found.first(), mower_id="mower-1", account_id="home")
    await driver.start(heard)
    return Followed(driver, heard, found)


def orders(member: Member) -> list[int]:
    """Return the actions of the motion frames that reached the mower, in order."""
    return [message.fields["action"] for message in told(member, "todev_taskctrl")]


def told(member: Member, name: str) -> list[Received]:
    """Return the messages of one name that reached the mower."""
    return [message for message in member.conversation.received if message.name == name]
