"""What all drivers of one vendor account share."""

from collections.abc import Awaitable, Callable

import msgspec

from edge_gateway.contracts.clock import Clock
from edge_gateway.device_gateway.mammotion.bluetooth_link import BluetoothLink, Changed
from edge_gateway.device_gateway.mammotion.settings import MammotionSettings

type MakeBluetooth = Callable[[str, Changed], BluetoothLink]
"""Makes a mower's Bluetooth link, which tells when it came or went."""


class Surroundings[D](msgspec.Struct, frozen=True, kw_only=True):
    """What all drivers of one vendor account share."""

    vendor_account_id: str
    settings: MammotionSettings
    clock: Clock
    connect: Callable[[D], Awaitable[None]]
    """Gives a driver its link, when there is one."""
    introduced: Callable[[], Awaitable[None]]
    """Hears that a mower's firmware became known."""
    bluetooth: MakeBluetooth | None = None
    """Makes a mower's Bluetooth link, which tells when it came or went; null without bridges."""

    def make_bluetooth(self, name: str, changed: Changed) -> BluetoothLink | None:
        """Return a mower's Bluetooth link; null without bridges."""
        return None if self.bluetooth is None else self.bluetooth(name, changed)
