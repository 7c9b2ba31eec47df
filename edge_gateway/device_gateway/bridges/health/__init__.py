"""What can be wrong with a bridge: one check a file, each looking at the facts alone."""

from edge_gateway.device_gateway.bridges.health.check import Check
from edge_gateway.device_gateway.bridges.health.deaf import DeafCheck
from edge_gateway.device_gateway.bridges.health.firmware import FirmwareCheck
from edge_gateway.device_gateway.bridges.health.passive_only import PassiveOnlyCheck
from edge_gateway.device_gateway.bridges.health.restarts import RestartsCheck
from edge_gateway.device_gateway.bridges.health.slots import SlotsCheck
from edge_gateway.device_gateway.bridges.health.stolen import StolenCheck
from edge_gateway.device_gateway.bridges.health.unreachable import UnreachableCheck
from edge_gateway.device_gateway.bridges.health.weak_wifi import WeakWifiCheck
from edge_gateway.device_gateway.bridges.health.wrong_device import WrongDeviceCheck
from edge_gateway.device_gateway.bridges.health.wrong_key import WrongKeyCheck

CHECKS: tuple[Check, ...] = (
    UnreachableCheck(),
    WrongKeyCheck(),
    WrongDeviceCheck(),
    FirmwareCheck(),
    PassiveOnlyCheck(),
    StolenCheck(),
    DeafCheck(),
    RestartsCheck(),
    SlotsCheck(),
    WeakWifiCheck(),
)
"""All of them."""
