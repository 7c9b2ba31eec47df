"""Makes a connection to a mower over the best of Home Assistant's scanners, and says why where it cannot."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass

import bleak_retry_connector
from bleak import BleakClient
from bleak.backends.device import BLEDevice
from bleak.exc import BleakError
from bleak_retry_connector import BleakClientWithServiceCache
from homeassistant.components import bluetooth
from homeassistant.components.bluetooth import BluetoothReachabilityIntent
from homeassistant.core import HomeAssistant

from custom_components.mowdeck.client.lending_said import Characteristic, Connected, GattService

from .refusals import NO_SLOT, NOT_FOUND, LendingError, code_of
from .scanners import full

LOGGER = logging.getLogger(__name__)

ATTEMPTS = 2
LONGEST_SECONDS = 25.0
"""Longer than this nobody waits, whatever the gateway would."""

LETTING_GO_SECONDS = 5.0


@dataclass(frozen=True, kw_only=True)
class ConnectedMower:
    """A mower that is connected over one scanner."""

    client: BleakClientWithServiceCache
    source: str

    def described(self, connection_id: str) -> Connected:
        """Return what the gateway is told of it."""
        return Connected(
            id=connection_id,
            source=self.source,
            mtu=self.client.mtu_size,
            services=tuple(
                GattService(
                    uuid=service.uuid,
                    handle=service.handle,
                    characteristics=tuple(
                        Characteristic(uuid=each.uuid, handle=each.handle, properties=tuple(each.properties))
                        for each in service.characteristics
                    ),
                )
                for service in self.client.services
            ),
        )


async def connect(
    hass: HomeAssistant, address: str, *, spent_at: float, lost: Callable[[BleakClient], None], clear_cache: bool
) -> ConnectedMower:
    """Connect until a moment of the loop; raises `LendingError`. `clear_cache` has the mower's services read anew."""
    device = bluetooth.async_ble_device_from_address(hass, address, connectable=True)
    if device is None:
        raise LendingError(NOT_FOUND, reachability(hass, address))
    if full(hass, address):
        raise LendingError(NO_SLOT, reachability(hass, address))

    def newest() -> BLEDevice:
        return bluetooth.async_ble_device_from_address(hass, address, connectable=True) or device

    async def establish() -> BleakClientWithServiceCache:
        # Looked up now: Home Assistant's Bluetooth puts its own class in the place of the connector's.
        return await bleak_retry_connector.establish_connection(
            bleak_retry_connector.BleakClientWithServiceCache,
            newest(),
            device.name or address,
            disconnected_callback=lost,
            max_attempts=ATTEMPTS,
            ble_device_callback=newest,
            use_services_cache=not clear_cache,
        )

    try:
        async with asyncio.timeout_at(min(spent_at, hass.loop.time() + LONGEST_SECONDS)):
            client = await establish()
            if clear_cache:
                await client.clear_cache()
                await let_go(client)
                client = await establish()
    except (BleakError, TimeoutError) as error:
        detail = f"{str(error) or 'It took too long'}; {reachability(hass, address)}"
        raise LendingError(code_of(error), detail) from error
    return ConnectedMower(client=client, source=_source(hass, address))


async def let_go(client: BleakClient) -> None:
    """Disconnect, within bounds; what does not go is only logged: nobody can do more."""
    try:
        async with asyncio.timeout(LETTING_GO_SECONDS):
            await client.disconnect()
    except (BleakError, TimeoutError, EOFError) as error:
        LOGGER.debug("Not disconnected from %s: %r", client.address, error)
    except Exception:
        LOGGER.exception("Not disconnected from %s", client.address)


def reachability(hass: HomeAssistant, address: str) -> str:
    """Return what Home Assistant knows about why an address is, or is not, reached."""
    return bluetooth.async_address_reachability_diagnostics(hass, address, BluetoothReachabilityIntent.CONNECTION)


def _source(hass: HomeAssistant, address: str) -> str:
    """Return the scanner over which a connection was made."""
    for scanner in bluetooth.async_current_scanners(hass):
        allocations = scanner.get_allocations()
        if allocations is not None and address in allocations.allocated:
            return scanner.source
    # One that tells no slots: the scanner that heard it best is the one that was taken, as a rule.
    info = bluetooth.async_last_service_info(hass, address, connectable=True)
    return "" if info is None else info.source
