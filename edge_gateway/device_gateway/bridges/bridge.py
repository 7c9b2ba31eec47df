"""One bridge: connected for as long as it is wanted, its scanner lent to the radio, watched."""

import asyncio
import re
from collections.abc import Callable
from typing import Any

import structlog
from aioesphomeapi import BluetoothProxyFeature, DeviceInfo, EntityState, LogLevel, SensorState
from aioesphomeapi.client import APIClient
from aioesphomeapi.core import APIConnectionError
from aioesphomeapi.reconnect_logic import ReconnectLogic
from bleak_esphome import connect_scanner
from bleak_esphome.backend.client import ESPHomeClientData
from habluetooth import BluetoothScanningMode

from edge_gateway.device_gateway.bridges.client import (
    CLIENT_INFO,
    Target,
    connect_error,
    forbid_late_arrival,
    is_expected,
    make_client,
)
from edge_gateway.device_gateway.bridges.facts import BridgeFacts, ConnectError
from edge_gateway.device_gateway.bridges.memory_of_bridge import BridgeMemory
from edge_gateway.device_gateway.bridges.own_sensors import OwnSensors, own_sensors
from edge_gateway.device_gateway.bridges.restart_button import restart_key
from edge_gateway.device_gateway.bridges.settings import BridgesSettings
from edge_gateway.device_gateway.bridges.watch_rule import Step, Watched, next_step
from edge_gateway.device_gateway.radio import Radio

_log = structlog.get_logger(__name__)

_REPLACED = re.compile(r"[Ss]ubscription from (?P<thief>.+?) replaces (?P<before>.+)")
_STOP_SECONDS = 2.0


class Bridge:
    """The session with one bridge."""

    def __init__(
        self, target: Target, *, radio: Radio, settings: BridgesSettings, changed: Callable[[Bridge], None]
    ) -> None:
        """Tell `changed` of whatever may matter to mowers or health."""
        self.target = target
        self.memory = BridgeMemory()
        self.info: DeviceInfo | None = None
        self._radio = radio
        self._settings = settings
        self._changed = changed
        self._client: APIClient | None = None
        self._logic: ReconnectLogic | None = None
        self._data: ESPHomeClientData | None = None
        self._undo: list[Callable[[], None]] = []
        self._error: ConnectError | None = None
        self._key_errors = 0
        self._wifi_dbm: float | None = None
        self._sensors = OwnSensors()
        self._restart_key: int | None = None
        self._held: set[int] = set()
        """The devices that the last session held when it was lost."""

    async def start(self) -> None:
        """Connect, again and again until `stop`."""
        self._client = client = make_client(self.target)
        self._logic = ReconnectLogic(
            client=client, on_connect=self._up, on_disconnect=self._down, on_connect_error=self._failed
        )
        await self._logic.start()

    async def stop(self) -> None:
        """Say goodbye, so that its connections are free at once."""
        self._take_out()
        if self._logic is not None:
            await self._logic.stop()
        if self._client is not None:
            try:
                async with asyncio.timeout(_STOP_SECONDS):
                    await self._client.disconnect()
            except TimeoutError, APIConnectionError:
                self._client.force_disconnect()

    @property
    def source(self) -> str | None:
        """Its own Bluetooth address, by which the radio knows it; null while it is not connected."""
        return None if self._data is None or self._data.scanner is None else self._data.scanner.source

    @property
    def works(self) -> bool:
        """Whether it carries connections: it is connected and answers come to us."""
        return self._data is not None and not self.memory.given_up and not self.memory.named_thief

    @property
    def silent_seconds(self) -> float | None:
        """How long nothing was heard over it."""
        memory, scanner = self.memory, None if self._data is None else self._data.scanner
        if scanner is None:
            return None
        ages = [memory.age(memory.connected_at), memory.age(memory.notified_at), scanner.time_since_last_detection()]
        return min(age for age in ages if age is not None)

    def look(self, *, expects_mower: bool) -> None:
        """Do what the watch rule says."""
        silent, scanner = self.silent_seconds, None if self._data is None else self._data.scanner
        if silent is None or scanner is None:
            return
        memory = self.memory
        connected = memory.age(memory.connected_at) or 0.0
        if scanner.time_since_last_detection() < connected:
            memory.heard_before = True
        taken_back = memory.age(memory.taken_back_at)
        step = next_step(
            Watched(
                silent_seconds=silent,
                heard_before=memory.heard_before,
                taken_back_seconds=taken_back,
                answered_since=taken_back is not None and silent < taken_back,
                named_thief=memory.named_thief,
                restarted_seconds=memory.age(memory.restarted_at),
                given_up=memory.given_up,
                expects_mower=expects_mower,
            ),
            silence_seconds=self._settings.silence_seconds,
        )
        self._do(step)

    def facts(self) -> BridgeFacts:
        """Return how it is now."""
        memory, info = self.memory, self.info
        allocations = None if self._data is None or self._data.scanner is None else self._data.scanner.get_allocations()
        silent, taken_back = self.silent_seconds, memory.age(memory.taken_back_at)
        return BridgeFacts(
            connected=self._data is not None,
            connect_error=None if self._data is not None else self._error,
            key_errors=self._key_errors,
            unconnected_seconds=0.0 if self._data is not None else memory.age(memory.unconnected_at) or 0.0,
            name=None if info is None else info.name,
            mac=None if info is None else info.mac_address,
            esphome_version=None if info is None else info.esphome_version,
            can_connect=self._can_connect(),
            subscribed=self._subscribed(),
            connected_seconds=memory.age(memory.connected_at) or 0.0,
            silent_seconds=silent,
            deaf=silent is not None
            and taken_back is not None
            and not memory.given_up
            and min(silent, taken_back) >= self._settings.silence_seconds,
            stolen=memory.given_up,
            thief=memory.thief,
            slots=None if allocations is None else allocations.slots,
            free_slots=None if allocations is None else allocations.free,
            refused_for_slots=memory.lacked_slots,
            uptime_seconds=memory.uptime_seconds,
            restarts=memory.restarts,
            wifi_dbm=self._wifi_dbm,
        )

    def break_off(self) -> None:
        """Cut the connection and make a new one: what is on its way must not arrive any more."""
        if self._client is not None:
            self._client.force_disconnect()

    async def _up(self) -> None:
        client = self._client
        if client is None:
            return
        forbid_late_arrival(client)
        info = await client.device_info()
        if not is_expected(self.target, info.mac_address):
            self._error = ConnectError.WRONG_DEVICE
            await client.disconnect()
            return
        self.info = info
        self._error, self._key_errors = None, 0
        self.memory.connected()
        self._data = data = connect_scanner(client, info, available=True)
        if data.scanner is not None:
            self._undo = [data.scanner.async_setup(), self._radio.register(data.scanner)]
            data.scanner.async_set_scanning_mode(BluetoothScanningMode.ACTIVE)
        client.subscribe_logs(self._logged, LogLevel.LOG_LEVEL_WARN)
        await self._follow_sensors(client)
        self._release_held(client, data)
        _log.info("bridge connected", bridge=self.target.bridge_id, name=info.name, version=info.esphome_version)
        self._changed(self)

    async def _down(self, expected_disconnect: bool) -> None:  # noqa: FBT001  # the library's callback
        del expected_disconnect
        self._take_out()
        _log.info("bridge disconnected", bridge=self.target.bridge_id)

    async def _failed(self, error: Exception) -> None:
        found = connect_error(error)
        self._key_errors = self._key_errors + 1 if found is ConnectError.WRONG_KEY else 0
        if found is not self._error:
            _log.info("bridge not connected", bridge=self.target.bridge_id, reason=str(found))
        self._error = found
        self._changed(self)

    def _take_out(self) -> None:
        data, self._data = self._data, None
        if data is None:
            return
        self.memory.disconnected()
        self._held = set(data.bluetooth_device.ble_allocations)
        data.bluetooth_device.async_set_unavailable()
        for callback in list(data.disconnect_callbacks):
            callback()
        data.disconnect_callbacks.clear()
        undo, self._undo = self._undo, []
        for take_back in undo:
            take_back()
        self._changed(self)

    def _release_held(self, client: APIClient, data: ESPHomeClientData) -> None:
        """Have it let go of what a session of ours that it takes for alive still holds.

        It lets go by itself only when its subscriber is gone, and after a stall of the network we are its next one: a
        mower would stay connected to nobody, and be heard no more.
        """
        held, self._held = self._held & set(data.bluetooth_device.ble_allocations), set()
        for address in held:
            _log.info("a connection of the last session is let go", bridge=self.target.bridge_id)
            client.bluetooth_device_disconnect_no_wait(address)

    async def _follow_sensors(self, client: APIClient) -> None:
        entities, _ = await client.list_entities_services()
        self._restart_key = restart_key(entities)
        self._sensors = own_sensors(entities)
        if self._sensors != OwnSensors():
            client.subscribe_states(self._sensed)

    def _sensed(self, state: EntityState) -> None:
        if not isinstance(state, SensorState) or state.missing_state:
            return
        if state.key == self._sensors.uptime:
            restarted = self.memory.age(self.memory.restarted_at)
            by_us = restarted is not None and restarted < self._settings.silence_seconds * 8
            self.memory.told_uptime(state.state, by_us=by_us)
        elif state.key == self._sensors.wifi:
            self._wifi_dbm = round(state.state)

    def _logged(self, message: Any) -> None:  # noqa: ANN401  # a message without types
        found = _REPLACED.search(message.message.decode(errors="replace"))
        if found is not None and CLIENT_INFO in found["before"] and CLIENT_INFO not in found["thief"]:
            _log.warning("bridge's advertisements go to another", bridge=self.target.bridge_id, thief=found["thief"])
            self.memory.replaced(found["thief"])
            self._changed(self)

    def _do(self, step: Step) -> None:
        data, client, memory = self._data, self._client, self.memory
        if step is Step.NOTHING or data is None or data.scanner is None or client is None:
            return
        _log.warning("bridge is looked after", bridge=self.target.bridge_id, step=step.value)
        if step is Step.TAKE_BACK:
            memory.taken_back()
            client.subscribe_bluetooth_le_raw_advertisements(data.scanner.async_on_raw_advertisements)
        elif step is Step.RESTART:
            memory.restarted_at = memory.monotonic()
            if self._restart_key is not None:
                client.button_command(self._restart_key)
        else:
            memory.given_up = True
        self._changed(self)

    def _can_connect(self) -> bool | None:
        if self.info is None or self._client is None or self._client.api_version is None:
            return None
        flags = self.info.bluetooth_proxy_feature_flags_compat(self._client.api_version)
        return bool(flags & BluetoothProxyFeature.ACTIVE_CONNECTIONS)

    def _subscribed(self) -> bool:
        scanner = None if self._data is None else self._data.scanner
        return scanner is not None and scanner.current_mode is not None
