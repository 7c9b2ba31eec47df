"""The library's client for one bridge: made, kept from sending late, its errors understood."""

import socket

import msgspec
from aioesphomeapi.client import APIClient
from aioesphomeapi.core import (
    BadMACAddressAPIError,
    BadNameAPIError,
    EncryptionErrorAPIError,
    EncryptionHelloAPIError,
    EncryptionPlaintextAPIError,
    InvalidEncryptionKeyAPIError,
    RequiresEncryptionAPIError,
)

from edge_gateway.device_gateway.bridges.facts import ConnectError

CLIENT_INFO = "mowdeck-edge"
_LATE_MILLISECONDS = 4000
"""What a bridge has not acknowledged after this time is dropped with the connection: it must not arrive late."""
_KEEPALIVE_SECONDS = 10.0


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """Where a bridge is and how it is spoken to."""

    bridge_id: str
    host: str
    port: int
    key: str | None
    """Base64, a secret; null speaks plaintext."""
    expected_mac: str | None


def mac_of(text: str | None) -> str | None:
    """Return an address in the one form in which addresses are compared."""
    return None if text is None else text.replace(":", "").replace("-", "").lower()


def is_expected(target: Target, mac: str) -> bool:
    """Tell whether a device is the one that is expected; over plaintext nobody else looks at that."""
    return target.expected_mac is None or mac_of(target.expected_mac) == mac_of(mac)


def make_client(target: Target) -> APIClient:
    """Return a client for a bridge, not connected."""
    return APIClient(
        target.host,
        target.port,
        None,
        noise_psk=target.key,
        client_info=CLIENT_INFO,
        expected_mac=mac_of(target.expected_mac),
        keepalive=_KEEPALIVE_SECONDS,
    )


def forbid_late_arrival(client: APIClient) -> None:
    """Have the system drop the connection when the bridge acknowledges nothing: no frame arrives minutes later."""
    connection = client._connection  # noqa: SLF001  # the library does not show its socket
    used = None if connection is None else connection._socket  # noqa: SLF001  # the same
    if used is not None and hasattr(socket, "TCP_USER_TIMEOUT"):
        used.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _LATE_MILLISECONDS)


def connect_error(error: Exception) -> ConnectError:
    """Return what an error of the library means to the owner."""
    match error:
        case EncryptionHelloAPIError() | EncryptionErrorAPIError():
            # It was cut off in the handshake: bad Wi-Fi does that too, so no key is called wrong for it.
            return ConnectError.UNREACHABLE
        case InvalidEncryptionKeyAPIError():
            return ConnectError.WRONG_KEY
        case RequiresEncryptionAPIError():
            return ConnectError.NEEDS_KEY
        case EncryptionPlaintextAPIError():
            return ConnectError.NOT_ENCRYPTED
        case BadMACAddressAPIError() | BadNameAPIError():
            return ConnectError.WRONG_DEVICE
        case _:
            return ConnectError.UNREACHABLE
