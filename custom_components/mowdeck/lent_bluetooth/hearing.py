"""Listens for the mowers that a gateway wants carried, and tells of each now and then by scanner."""

from collections.abc import Callable, Collection

from homeassistant.components import bluetooth
from homeassistant.components.bluetooth import (
    BluetoothCallbackMatcher,
    BluetoothChange,
    BluetoothScanningMode,
    BluetoothServiceInfoBleak,
)
from homeassistant.core import HomeAssistant, callback

from custom_components.mowdeck.client.lending_said import Advertisement

from .throttle import Throttle


class Hearing:
    """The mowers of one gateway, by the name that they advertise.

    A name leads to an address; of the address every advertisement is heard, over each scanner and also when nothing in
    it changed. Nothing is registered of a name that nobody wants.
    """

    def __init__(self, hass: HomeAssistant, heard: Callable[[Advertisement], None]) -> None:
        """Hand what is heard to `heard`."""
        self.names: frozenset[str] = frozenset()
        self._hass = hass
        self._heard = heard
        self._throttle = Throttle()
        self._by_name: dict[str, Callable[[], None]] = {}
        self._by_address: dict[str, Callable[[], None]] = {}
        self._addresses: dict[str, str] = {}
        """By name."""

    @callback
    def want(self, names: Collection[str]) -> None:
        """Listen for these mowers and no others."""
        wanted = frozenset(names)
        for name in self.names - wanted:
            self._by_name.pop(name)()
            self._forget_address(name)
        new = wanted - self.names
        self.names = wanted
        for name in sorted(new):
            self._by_name[name] = bluetooth.async_register_callback(
                self._hass,
                self._named,
                BluetoothCallbackMatcher(local_name=name, connectable=True),
                BluetoothScanningMode.PASSIVE,
            )

    @callback
    def end(self) -> None:
        """Listen no more."""
        self.want(())

    @property
    def heard_count(self) -> int:
        """How many of the mowers some scanner has heard."""
        return len(self._addresses)

    @property
    def unheard(self) -> bool:
        """Whether there is a mower that no scanner has heard by its name yet."""
        return bool(self.names - self._addresses.keys())

    @callback
    def may_connect(self, address: str) -> bool:
        """Tell whether an address is a wanted mower's, as far as its name is known."""
        if not self.names:
            return False
        info = bluetooth.async_last_service_info(self._hass, address, connectable=False)
        # Without a name (scanners that only listen do not hear it) the gateway's memory is as good as any.
        return info is None or info.name in (*self.names, info.address)

    @callback
    def _named(self, info: BluetoothServiceInfoBleak, _change: BluetoothChange) -> None:
        """Hear a wanted name: from now on its address is listened to."""
        # The matcher takes patterns; a name is none.
        if info.name not in self.names or self._addresses.get(info.name) == info.address:
            return
        for former in [info.name, *(name for name, address in self._addresses.items() if address == info.address)]:
            self._forget_address(former)
        self._addresses[info.name] = info.address
        name = info.name

        @callback
        def heard(info: BluetoothServiceInfoBleak) -> None:
            self._tell(name, info)

        self._by_address[info.address] = bluetooth.async_register_advertisement_callback(
            self._hass, heard, info.address
        )
        self._tell(name, info)

    def _tell(self, name: str, info: BluetoothServiceInfoBleak) -> None:
        now = bluetooth.MONOTONIC_TIME()
        if not info.connectable or not self._throttle.passes(info.address, info.source, now):
            return
        self._heard(
            Advertisement(
                source=info.source,
                address=info.address,
                name=name,
                signal_dbm=info.rssi,
                age_ms=max(0, round((now - info.time) * 1000)),
                service_uuids=tuple(info.service_uuids),
                manufacturer_data=dict(info.manufacturer_data),
            )
        )

    def _forget_address(self, name: str) -> None:
        address = self._addresses.pop(name, None)
        if address is not None:
            self._by_address.pop(address)()
