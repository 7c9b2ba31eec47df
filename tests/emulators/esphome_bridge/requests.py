"""How the emulated bridge answers each request of the native API."""

import asyncio
import base64
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tests.emulators.esphome_bridge.messages import api
from tests.emulators.esphome_bridge.peripheral import NO_ANSWER, Connection, Peripheral, uuid_words
from tests.emulators.esphome_bridge.wire import Wire

if TYPE_CHECKING:
    from tests.emulators.esphome_bridge.bridge import EmulatedBridge

CONFIGURATION = "00002902-0000-1000-8000-00805f9b34fb"
RESTART_KEY, UPTIME_KEY, WIFI_KEY = 1, 2, 3
_UNKNOWN_HANDLE = 0x01
_NOT_CONNECTED = -1
_CONNECTS = frozenset({4, 5})
_DISCONNECT, _CLEAR_CACHE = 1, 6


def answer(bridge: EmulatedBridge, wire: Wire, message: Any) -> None:  # noqa: ANN401  # any message of the API
    """Answer a request; what the bridge does not know it leaves unanswered, as the firmware does."""
    handler = _HANDLERS.get(type(message).__name__)
    if handler is not None:
        handler(bridge, wire, message)


def _hello(bridge: EmulatedBridge, wire: Wire, message: Any) -> None:  # noqa: ANN401  # the same
    wire.client_info = message.client_info
    wire.send(
        api.HelloResponse(api_version_major=1, api_version_minor=14, name=bridge.firmware.name, server_info="emulated")
    )


def _ping(bridge: EmulatedBridge, wire: Wire, message: Any) -> None:  # noqa: ANN401  # the same
    del bridge, message
    wire.send(api.PingResponse())


def _goodbye(bridge: EmulatedBridge, wire: Wire, message: Any) -> None:  # noqa: ANN401  # the same
    del bridge, message
    wire.send(api.DisconnectResponse())
    wire.close()


def _device_info(bridge: EmulatedBridge, wire: Wire, message: Any) -> None:  # noqa: ANN401  # the same
    del message
    firmware = bridge.firmware
    wire.send(
        api.DeviceInfoResponse(
            name=firmware.name,
            mac_address=firmware.mac,
            bluetooth_mac_address=firmware.mac,
            esphome_version=firmware.esphome_version,
            model="emulated",
            project_name="mowdeck.bridge",
            project_version="1.0.0",
            bluetooth_proxy_feature_flags=firmware.features,
            api_encryption_supported=bridge.key is not None,
            api_encryption_provisionable=firmware.provisionable,
        )
    )


def _set_key(bridge: EmulatedBridge, wire: Wire, message: Any) -> None:  # noqa: ANN401  # the same
    wire.send(api.NoiseEncryptionSetKeyResponse(success=True))
    bridge.key = base64.b64encode(message.key).decode()
    bridge.firmware.provisionable = False
    wire.close()


def _entities(bridge: EmulatedBridge, wire: Wire, message: Any) -> None:  # noqa: ANN401  # the same
    del bridge, message
    wire.send(
        api.ListEntitiesButtonResponse(object_id="restart", key=RESTART_KEY, name="Restart", device_class="restart")
    )
    wire.send(
        api.ListEntitiesSensorResponse(
            object_id="uptime", key=UPTIME_KEY, name="Uptime", unit_of_measurement="s", device_class="duration"
        )
    )
    wire.send(
        api.ListEntitiesSensorResponse(
            object_id="wifi_signal",
            key=WIFI_KEY,
            name="WiFi Signal",
            unit_of_measurement="dBm",
            device_class="signal_strength",
        )
    )
    wire.send(api.ListEntitiesDoneResponse())


def _states(bridge: EmulatedBridge, wire: Wire, message: Any) -> None:  # noqa: ANN401  # the same
    del message
    wire.send(api.SensorStateResponse(key=UPTIME_KEY, state=bridge.firmware.uptime_seconds))
    if bridge.firmware.wifi_dbm is not None:
        wire.send(api.SensorStateResponse(key=WIFI_KEY, state=bridge.firmware.wifi_dbm))


def _button(bridge: EmulatedBridge, wire: Wire, message: Any) -> None:  # noqa: ANN401  # the same
    del wire
    if message.key == RESTART_KEY:
        bridge.do(bridge.reboot())


def _slots(bridge: EmulatedBridge, wire: Wire, message: Any) -> None:  # noqa: ANN401  # the same
    del message
    wire.send(bridge.slots_message())


def _subscribe(bridge: EmulatedBridge, wire: Wire, message: Any) -> None:  # noqa: ANN401  # the same
    del message
    bridge.subscribe(wire)


def _set_mode(bridge: EmulatedBridge, wire: Wire, message: Any) -> None:  # noqa: ANN401  # the same
    del wire
    bridge.tell_scanner(message.mode)


def _device(bridge: EmulatedBridge, wire: Wire, message: Any) -> None:  # noqa: ANN401  # the same
    del wire
    address = message.address
    if message.request_type in _CONNECTS:
        _connect(bridge, address)
    elif message.request_type == _DISCONNECT:
        bridge.release(address)
        bridge.push(api.BluetoothDeviceConnectionResponse(address=address, connected=False))
        bridge.push(bridge.slots_message())
    elif message.request_type == _CLEAR_CACHE:
        bridge.push(api.BluetoothDeviceClearCacheResponse(address=address, success=True))


def _connect(bridge: EmulatedBridge, address: int) -> None:
    peripheral = bridge.peripheral(address)
    if address in bridge.connections and peripheral is not None:
        bridge.push(api.BluetoothDeviceConnectionResponse(address=address, connected=True, mtu=peripheral.mtu))
        return
    if peripheral is None or len(bridge.connections) >= bridge.firmware.slots:
        bridge.push(api.BluetoothDeviceConnectionResponse(address=address, connected=False))
        return
    connection = bridge.connections[address] = Connection(peripheral=peripheral)
    bridge.push(bridge.slots_message())
    bridge.do(_finish(bridge, connection))


async def _finish(bridge: EmulatedBridge, connection: Connection) -> None:
    peripheral = connection.peripheral
    peripheral.connects += 1
    await asyncio.sleep(peripheral.connect_seconds)
    address = peripheral.address
    if bridge.connections.get(address) is not connection or peripheral.connect_error == NO_ANSWER:
        return
    if peripheral.connect_error:
        bridge.drop(peripheral.mac, peripheral.connect_error)
        return
    connection.up = True

    def notify(uuid: str, data: bytes) -> None:
        handle = next(one.handle for one in peripheral.characteristics if one.uuid == uuid)
        if handle in connection.notified and bridge.connections.get(address) is connection:
            bridge.push(api.BluetoothGATTNotifyDataResponse(address=address, handle=handle, data=data))

    peripheral.connected(notify)
    bridge.push(api.BluetoothDeviceConnectionResponse(address=address, connected=True, mtu=peripheral.mtu))


def _connected(bridge: EmulatedBridge, message: Any) -> Connection | None:  # noqa: ANN401  # the same
    connection = bridge.connections.get(message.address)
    if connection is None or not connection.up:
        handle = getattr(message, "handle", 0)
        bridge.push(api.BluetoothGATTErrorResponse(address=message.address, handle=handle, error=_NOT_CONNECTED))
        return None
    return connection


def _services(bridge: EmulatedBridge, wire: Wire, message: Any) -> None:  # noqa: ANN401  # the same
    del wire
    connection = _connected(bridge, message)
    if connection is None:
        return
    service = _described(connection.peripheral)
    bridge.push(api.BluetoothGATTGetServicesResponse(address=message.address, services=[service]))
    bridge.push(api.BluetoothGATTGetServicesDoneResponse(address=message.address))


def _described(peripheral: Peripheral) -> Any:  # noqa: ANN401  # a message of the API
    service = api.BluetoothGATTService(uuid=uuid_words(peripheral.service), handle=peripheral.service_handle)
    for one in peripheral.characteristics:
        described = service.characteristics.add(uuid=uuid_words(one.uuid), handle=one.handle, properties=one.properties)
        if one.descriptor:
            described.descriptors.add(uuid=uuid_words(CONFIGURATION), handle=one.descriptor)
    return service


def _read(bridge: EmulatedBridge, wire: Wire, message: Any) -> None:  # noqa: ANN401  # the same
    del wire
    if (connection := _connected(bridge, message)) is not None:
        data = connection.peripheral.by_handle[message.handle].value
        bridge.push(api.BluetoothGATTReadResponse(address=message.address, handle=message.handle, data=data))


def _write(bridge: EmulatedBridge, wire: Wire, message: Any) -> None:  # noqa: ANN401  # the same
    del wire
    connection = _connected(bridge, message)
    if connection is None:
        return
    characteristic = connection.peripheral.by_handle.get(message.handle)
    if characteristic is None:
        bridge.push(
            api.BluetoothGATTErrorResponse(address=message.address, handle=message.handle, error=_UNKNOWN_HANDLE)
        )
        return
    connection.peripheral.written(characteristic.uuid, message.data)
    if message.response:
        bridge.push(api.BluetoothGATTWriteResponse(address=message.address, handle=message.handle))


def _notify(bridge: EmulatedBridge, wire: Wire, message: Any) -> None:  # noqa: ANN401  # the same
    del wire
    if (connection := _connected(bridge, message)) is not None:
        (connection.notified.add if message.enable else connection.notified.discard)(message.handle)
        bridge.push(api.BluetoothGATTNotifyResponse(address=message.address, handle=message.handle))


def _write_descriptor(bridge: EmulatedBridge, wire: Wire, message: Any) -> None:  # noqa: ANN401  # the same
    del wire
    if _connected(bridge, message) is not None:
        bridge.push(api.BluetoothGATTWriteResponse(address=message.address, handle=message.handle))


type Handler = Callable[[EmulatedBridge, Wire, Any], None]
_HANDLERS: dict[str, Handler] = {
    "HelloRequest": _hello,
    "PingRequest": _ping,
    "DisconnectRequest": _goodbye,
    "DeviceInfoRequest": _device_info,
    "NoiseEncryptionSetKeyRequest": _set_key,
    "ListEntitiesRequest": _entities,
    "SubscribeStatesRequest": _states,
    "ButtonCommandRequest": _button,
    "SubscribeBluetoothConnectionsFreeRequest": _slots,
    "SubscribeBluetoothLEAdvertisementsRequest": _subscribe,
    "BluetoothScannerSetModeRequest": _set_mode,
    "BluetoothDeviceRequest": _device,
    "BluetoothGATTGetServicesRequest": _services,
    "BluetoothGATTReadRequest": _read,
    "BluetoothGATTWriteRequest": _write,
    "BluetoothGATTNotifyRequest": _notify,
    "BluetoothGATTWriteDescriptorRequest": _write_descriptor,
}
