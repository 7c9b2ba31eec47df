"""Mammotion as a vendor with logins; the library comes in with the first of them."""

import importlib
from typing import override

from edge_gateway.contracts.clock import Clock
from edge_gateway.device_gateway.mammotion.loading import load_library
from edge_gateway.device_gateway.mammotion.settings import MammotionSettings
from edge_gateway.device_gateway.vendor_accounts.vendor import (
    AccountKeeper,
    AccountProvider,
    Login,
    Secrets,
    Vendor,
)


class MammotionVendor(Vendor):
    """Makes providers for Mammotion accounts."""

    name = "mammotion"

    def __init__(self, *, settings: MammotionSettings, clock: Clock) -> None:
        """Import nothing yet."""
        self._settings = settings
        self._clock = clock

    @override
    async def provider(
        self, login: Login, keeper: AccountKeeper, *, secrets: Secrets | None, rejected: bool
    ) -> AccountProvider:
        await load_library(self._settings)
        module = importlib.import_module("edge_gateway.device_gateway.mammotion.provider")
        provider: AccountProvider = module.MammotionProvider(
            login, keeper, secrets=secrets, rejected=rejected, settings=self._settings, clock=self._clock
        )
        return provider
