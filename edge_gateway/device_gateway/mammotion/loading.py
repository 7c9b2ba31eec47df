"""Brings pymammotion in, once, and only when a Mammotion account exists: it takes seconds and much memory.

It reads addresses and polling periods from the environment at its first import, and binds Bluetooth classes then; so
both have to be set before.
"""

import asyncio
import importlib
import logging
import os
import sys
import threading

from habluetooth.usage import HaBleakClientWithServiceCache, install_multiple_bleak_catcher

from edge_gateway.contracts.errors import ConfigurationError
from edge_gateway.device_gateway.mammotion.redaction import install_redaction
from edge_gateway.device_gateway.mammotion.settings import MammotionSettings

_DAY_SECONDS = str(24 * 3600)
_POLLING = (
    "MAMMOTION_POLL_ACTIVE_SECS",
    "MAMMOTION_POLL_DOCKED_CHARGING_SECS",
    "MAMMOTION_POLL_DOCKED_FULL_SECS",
    "MAMMOTION_POLL_IDLE_SECS",
    "MAMMOTION_POLL_SLEEPING_SECS",
)
"""The library's own polling: out of the way, so that one place decides about requests (`follower.py`)."""
_lock = threading.Lock()
_loaded_for: list[MammotionSettings] = []


async def load_library(settings: MammotionSettings) -> None:
    """Import pymammotion without holding up the event loop; again it does nothing."""
    await asyncio.to_thread(load_library_now, settings)


def load_library_now(settings: MammotionSettings) -> None:
    """Import pymammotion for these settings.

    Raises `ConfigurationError` (`library_loaded_before`) when it is in use already with other addresses.
    """
    with _lock:
        if not _loaded_for:
            if "pymammotion" in sys.modules:
                raise _loaded_before()
            install_multiple_bleak_catcher()
            _set_environment(settings)
            importlib.import_module("pymammotion.client")
            _check_bluetooth()
            _loaded_for.append(settings)
            logging.getLogger("pymammotion").setLevel(logging.DEBUG if settings.log_library else logging.WARNING)
            install_redaction("pymammotion")
    constants = importlib.import_module("pymammotion.const")
    for wanted, actual in (
        (settings.cloud_url, constants.MAMMOTION_DOMAIN),
        (settings.api_url, constants.MAMMOTION_API_DOMAIN),
    ):
        if wanted is not None and wanted != actual:
            raise _loaded_before()


def _set_environment(settings: MammotionSettings) -> None:
    if settings.cloud_url is not None:
        os.environ["MAMMOTION_DOMAIN"] = settings.cloud_url
    if settings.api_url is not None:
        os.environ["MAMMOTION_API_DOMAIN"] = settings.api_url
    for name in _POLLING:
        os.environ[name] = _DAY_SECONDS


def _check_bluetooth() -> None:
    """See that the library connects through bridges: bound to the machine's own Bluetooth it would never reach one."""
    bound = importlib.import_module("pymammotion.transport.ble").BleakClientWithServiceCache
    if bound is not HaBleakClientWithServiceCache:
        raise ConfigurationError(
            "library_bound_wrongly",
            "The vendor's library came in before the Bluetooth bridges' stack.",
            remedy="This is a fault of the program: report it with its log.",
        )


def _loaded_before() -> ConfigurationError:
    return ConfigurationError(
        "library_loaded_before",
        "The vendor's library is already in use with other addresses; MOWDECK_MAMMOTION_CLOUD_URL and"
        " MOWDECK_MAMMOTION_API_URL are read once.",
        remedy="Restart the gateway.",
    )
