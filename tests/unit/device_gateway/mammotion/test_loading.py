"""The library comes in late, once, and as it is wanted: looked at in processes of their own."""

import subprocess
import sys

LATE = """
import sys
import edge_gateway.app, edge_gateway.composition
import edge_gateway.device_gateway.service
import edge_gateway.device_gateway.mammotion.vendor
import edge_gateway.device_gateway.vendor_accounts.accounts
assert "pymammotion" not in sys.modules

import asyncio
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.device_gateway.mammotion.settings import MammotionSettings
from edge_gateway.device_gateway.vendor_accounts.vendor import Login
vendor = edge_gateway.device_gateway.mammotion.vendor.MammotionVendor(settings=MammotionSettings(), clock=SystemClock())
assert "pymammotion" not in sys.modules
login = Login(vendor_account_id="vendor-account-1", username="gardener@example.com")
asyncio.run(vendor.provider(login, None, secrets=None, rejected=False))
assert "pymammotion" in sys.modules
"""

LOADED = """
import os, sys
from edge_gateway.device_gateway.mammotion.loading import load_library_now
from edge_gateway.device_gateway.mammotion.settings import MammotionSettings
settings = MammotionSettings(cloud_url="http://127.0.0.1:1", api_url="http://127.0.0.1:2")
load_library_now(settings)
import bleak, habluetooth.usage, pymammotion.http.http as http, pymammotion.transport.ble as ble
assert (http.MAMMOTION_DOMAIN, http.MAMMOTION_API_DOMAIN) == ("http://127.0.0.1:1", "http://127.0.0.1:2")
assert ble.BleakClientWithServiceCache is habluetooth.usage.HaBleakClientWithServiceCache
import pymammotion.device.mqtt_loop as loop
assert set(loop._MQTT_POLL_INTERVAL.values()) == {86400.0}
load_library_now(settings)
from edge_gateway.contracts.errors import ConfigurationError
try:
    load_library_now(MammotionSettings(cloud_url="http://127.0.0.1:3"))
except ConfigurationError as error:
    assert error.code == "library_loaded_before"
else:
    raise AssertionError("another address was taken")
"""

TOO_LATE = """
import pymammotion
from edge_gateway.contracts.errors import ConfigurationError
from edge_gateway.device_gateway.mammotion.loading import load_library_now
from edge_gateway.device_gateway.mammotion.settings import MammotionSettings
try:
    load_library_now(MammotionSettings())
except ConfigurationError as error:
    assert error.code == "library_loaded_before"
else:
    raise AssertionError("it was taken as it was")
"""


def run(program: str) -> None:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=50, check=False)  # noqa: S603  # programs above
    assert done.returncode == 0, done.stderr


def test_it_is_imported_for_the_first_account_and_not_before() -> None:
    run(LATE)


def test_it_is_imported_with_addresses_polling_and_bluetooth_set() -> None:
    run(LOADED)


def test_imported_by_somebody_else_it_is_refused() -> None:
    run(TOO_LATE)
