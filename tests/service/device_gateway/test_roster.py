"""Providers and their mowers: what becomes of the mowers when a provider ends, or does not begin."""

import asyncio
from typing import override

import pytest

from edge_gateway.contracts.errors import UnavailableError
from edge_gateway.device_gateway.provider import FoundMower, Provider, ProviderListener
from edge_gateway.device_gateway.settings import SimulatorSettings
from edge_gateway.device_gateway.simulator.provider import SimulatorProvider
from edge_gateway.device_gateway.simulator.store import MemoryStore
from tests.eventually import eventually
from tests.service.device_gateway.town import CLOVER, DAISY, Town


async def test_a_provider_that_ends_leaves_its_mowers_unavailable(town: Town) -> None:
    service = await town.service(mowers=0)
    provider = SimulatorProvider(SimulatorSettings(mowers=2), store=MemoryStore(), clock=town.clock)
    await service.roster.run(provider)
    await town.until(lambda: sum(one.available for one in town.availabilities) == 2)
    await service.roster.end(provider, reason="account_removed")
    await town.until(lambda: {one.mower_id for one in town.availabilities if not one.available} == {DAISY, CLOVER})
    assert {one.reason for one in town.availabilities if not one.available} == {"account_removed"}
    assert service.roster.actor(DAISY) is None


async def test_a_released_account_leaves_other_accounts_mowers_alone(town: Town) -> None:
    service = await town.service(mowers=0)
    provider = TwoAccounts(SimulatorSettings(mowers=2), store=MemoryStore(), clock=town.clock)
    await service.roster.run(provider)
    await town.until(lambda: sum(one.available for one in town.availabilities) == 2)
    await service.roster.release_account("account-1", reason="account_removed")
    await town.until(lambda: any(not one.available for one in town.availabilities))
    assert {one.mower_id for one in town.availabilities if not one.available} == {DAISY}
    assert service.roster.actor(CLOVER) is not None


async def test_a_mower_that_two_logins_share_stays_with_the_first_until_it_ends(town: Town) -> None:
    service = await town.service(mowers=0)
    store = MemoryStore()
    first, second = (SimulatorProvider(SimulatorSettings(mowers=1), store=store, clock=town.clock) for _ in range(2))
    await service.roster.run(first)
    driver = await town.driver(service)
    await service.roster.run(second)
    assert await town.driver(service) is driver
    await service.roster.end(first, reason="account_removed")

    async def taken_over() -> bool:
        actor = service.roster.actor(DAISY)
        return actor is not None and actor.driver is not driver

    await eventually(taken_over)
    assert list(second.drivers) == ["SIM-0001"]


async def test_a_provider_that_cannot_start_is_not_kept(town: Town) -> None:
    service = await town.service(mowers=0)

    class Broken(SimulatorProvider):
        @override
        async def start(self, listener: ProviderListener) -> None:
            await super().start(listener)
            raise UnavailableError("vendor_away", "The vendor does not answer.")

    provider: Provider = Broken(SimulatorSettings(mowers=1), store=MemoryStore(), clock=town.clock)
    with pytest.raises(UnavailableError):
        await service.roster.run(provider)
    await asyncio.sleep(0.2)
    assert service.roster.actor(DAISY) is None


class TwoAccounts(SimulatorProvider):
    """The n-th mower belongs to the n-th vendor account."""

    @override
    async def start(self, listener: ProviderListener) -> None:
        await super().start(_Numbered(listener))


class _Numbered(ProviderListener):
    def __init__(self, listener: ProviderListener) -> None:
        self._listener = listener

    @override
    async def mower_found(self, found: FoundMower) -> None:
        number = int(found.vendor_key.removeprefix("SIM-"))
        account = FoundMower(vendor_key=found.vendor_key, name=found.name, vendor_account_id=f"account-{number}")
        await self._listener.mower_found(account)
