"""Mammotion as a vendor with logins; the library comes in with the first of them."""

import importlib
from typing import Any, override

from edge_gateway.contracts.clock import Clock
from edge_gateway.device_gateway.bluetooth import Bluetooth
from edge_gateway.device_gateway.bridges.settings import BridgesSettings
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

    def __init__(
        self,
        *,
        settings: MammotionSettings,
        clock: Clock,
        bluetooth: Bluetooth | None = None,
        bridges: BridgesSettings | None = None,
    ) -> None:
        """Import nothing yet; reach mowers over this Bluetooth as well."""
        self._settings = settings
        self._clock = clock
        self._bluetooth = bluetooth
        self._bridges = bridges or BridgesSettings()

    @override
    async def provider(
        self, login: Login, keeper: AccountKeeper, *, secrets: Secrets | None, rejected: bool
    ) -> AccountProvider:
        await load_library(self._settings)
        module = importlib.import_module("edge_gateway.device_gateway.mammotion.provider")
        provider: AccountProvider = module.MammotionProvider(
            login,
            keeper,
            secrets=secrets,
            rejected=rejected,
            settings=self._settings,
            clock=self._clock,
            bluetooth=self._make_bluetooth(),
        )
        return provider

    def _make_bluetooth(self) -> Any:  # noqa: ANN401  # its type would bring the library in
        """Return what makes a mower's Bluetooth link."""
        if self._bluetooth is None:
            return None
        link = importlib.import_module("edge_gateway.device_gateway.mammotion.bluetooth_link").BluetoothLink
        return lambda name, changed: link(name, self._bluetooth, self._bridges, self._clock, changed=changed)
