"""The two that are compared: the gateway's provider, and the vendor's library left to its own polling."""

import os
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from tests.emulators.mammotion.account import EmulatedAccount

if TYPE_CHECKING:
    from tests.provider.mammotion.hands import Heard

type Stop = Callable[[], Awaitable[None]]


def point_library_at(url: str) -> None:
    """Have the vendor's library talk to this cloud; its polling stays as it is by default."""
    os.environ["MAMMOTION_DOMAIN"] = os.environ["MAMMOTION_API_DOMAIN"] = url


def load_for_gateway(url: str) -> None:
    """Load the library as the gateway does it."""
    from edge_gateway.device_gateway.mammotion.loading import load_library_now  # noqa: PLC0415  # brings the library in
    from edge_gateway.device_gateway.mammotion.settings import MammotionSettings  # noqa: PLC0415  # the same

    load_library_now(MammotionSettings(cloud_url=url, api_url=url))


class Followed:
    """Mowers that are followed, with who hears them."""

    def __init__(self, heard: list[Heard], stop: Stop) -> None:
        """Keep them together."""
        self.heard = heard
        self.stop = stop


async def follow_with_gateway(url: str, account: EmulatedAccount, *, mowers: int = 1) -> Followed:
    """Log in and follow mowers with the default settings."""
    from edge_gateway.contracts.clock import SystemClock  # noqa: PLC0415  # the library is loaded by then
    from edge_gateway.device_gateway.mammotion.provider import MammotionProvider  # noqa: PLC0415  # the same
    from edge_gateway.device_gateway.mammotion.settings import MammotionSettings  # noqa: PLC0415  # the same
    from edge_gateway.device_gateway.vendor_accounts.vendor import Login  # noqa: PLC0415  # the same
    from tests.provider.mammotion.hands import Found, Heard, MemoryKeeper  # noqa: PLC0415  # the same

    login = Login(vendor_account_id="vendor-account-1", username=account.username)
    settings = MammotionSettings(cloud_url=url, api_url=url)
    provider = MammotionProvider(
        login, MemoryKeeper(), secrets=None, rejected=False, settings=settings, clock=SystemClock()
    )
    await provider.log_in(account.password)
    found = Found()
    await provider.start(found)
    await found.until(lambda: len(found.mowers) >= mowers)
    drivers, heard = [], []
    for number, one in enumerate(found.mowers[:mowers], start=1):
        driver = provider.driver(one, mower_id=f"mower-{number}", account_id="home")
        heard.append(Heard())
        await driver.start(heard[-1])
        drivers.append(driver)

    async def stop() -> None:
        for driver in drivers:
            await driver.stop()
        await provider.stop()

    return Followed(heard, stop)


async def leave_to_library(account: EmulatedAccount) -> Stop:
    """Log in with the library and leave the mower to its polling."""
    import aiohttp  # noqa: PLC0415  # the library is loaded only now
    from pymammotion.client import MammotionClient  # noqa: PLC0415  # the same

    session = aiohttp.ClientSession()
    client = MammotionClient("benchmark")
    await client.login_and_initiate_cloud(account.username, account.password, session)

    async def stop() -> None:
        await client.stop()
        await session.close()

    return stop
