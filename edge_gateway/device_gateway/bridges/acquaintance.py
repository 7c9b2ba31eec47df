"""The first meeting with a bridge: whether it is there, which device it is, and that it has a key.

A bridge without a key is given one, over a connection that is encrypted already (with the key of zeros that ESPHome
takes for this alone). One that has a key keeps it: its owner pastes it.
"""

import asyncio
import base64
import binascii
import os

import msgspec
from aioesphomeapi import DeviceInfo
from aioesphomeapi.core import ZERO_NOISE_PSK, APIConnectionError

from edge_gateway.contracts.errors import ConflictError, InvalidError
from edge_gateway.device_gateway.bridges.client import Target, connect_error, is_expected, make_client
from edge_gateway.device_gateway.bridges.facts import ConnectError

KEY_BYTES = 32
_AGAIN_SECONDS = 0.5
"""A bridge that takes a key closes the connection and needs a moment."""
_TRIES = 8


class Met(msgspec.Struct, frozen=True, kw_only=True):
    """A bridge that was met."""

    name: str
    mac: str
    key: str | None
    """The key that works; null speaks plaintext."""


async def meet(target: Target, *, seconds: float) -> Met:
    """Connect once, and let go.

    Raises `InvalidError` naming the field (`bridge_unreachable`, `bridge_key_wrong`, `bridge_key_needed`,
    `bridge_not_encrypted`), `ConflictError` (`bridge_wrong_device`).
    """
    try:
        async with asyncio.timeout(seconds):
            return await _meet(target)
    except TimeoutError:
        raise _error(ConnectError.UNREACHABLE, target) from None


def checked_key(key: str) -> str:
    """Return a pasted key; raises `InvalidError` (`bridge_key_broken`) when it is none."""
    try:
        raw = base64.b64decode(key.strip(), validate=True)
    except binascii.Error, ValueError:
        raw = b""
    if len(raw) != KEY_BYTES:
        raise InvalidError(
            "bridge_key_broken",
            "The key is the base64 text of 32 bytes that ESPHome shows under api: encryption: key.",
            field="key",
        )
    return key.strip()


async def _meet(target: Target) -> Met:
    try:
        info = await _info(target)
    except _RefusedError as error:
        if target.key is not None or error.why is not ConnectError.NEEDS_KEY:
            raise _error(error.why, target) from None
        return await _give_key(target)
    if target.key is not None:
        return _met(info, target.key)
    if info.api_encryption_provisionable:
        return await _give_key(target)
    return _met(info, None)


async def _give_key(target: Target) -> Met:
    """Give a bridge that has no key its first one."""
    raw = os.urandom(KEY_BYTES)
    try:
        info = await _info(msgspec.structs.replace(target, key=ZERO_NOISE_PSK), give=raw)
    except _RefusedError as error:
        # The key of zeros opens nothing that has a key of its own.
        why = ConnectError.NEEDS_KEY if error.why is ConnectError.WRONG_KEY else error.why
        raise _error(why, target) from None
    key = base64.b64encode(raw).decode()
    renewed = msgspec.structs.replace(target, key=key)
    for tried in range(_TRIES):
        await asyncio.sleep(_AGAIN_SECONDS if tried else 0.05)
        try:
            return _met(await _info(renewed), key)
        except _RefusedError:
            continue
    raise _error(ConnectError.UNREACHABLE, target, name=info.name)


class _RefusedError(Exception):
    """A bridge that does not let us in."""

    def __init__(self, why: ConnectError) -> None:
        super().__init__(why)
        self.why = why


async def _info(target: Target, *, give: bytes | None = None) -> DeviceInfo:
    client = make_client(target)
    try:
        await client.connect()
        info = await client.device_info()
        if not is_expected(target, info.mac_address):
            raise _RefusedError(ConnectError.WRONG_DEVICE)
        if give is not None and not await client.noise_encryption_set_key(give):
            raise _RefusedError(ConnectError.NEEDS_KEY)
    except APIConnectionError as error:
        raise _RefusedError(connect_error(error)) from None
    except OSError, ValueError:
        # A name that no name can be, a network that is down.
        raise _RefusedError(ConnectError.UNREACHABLE) from None
    else:
        return info
    finally:
        client.force_disconnect()


def _met(info: DeviceInfo, key: str | None) -> Met:
    return Met(name=info.name, mac=info.mac_address, key=key)


def _error(why: ConnectError, target: Target, *, name: str | None = None) -> Exception:
    at = name or f"{target.host}:{target.port}"
    match why:
        case ConnectError.WRONG_KEY:
            return InvalidError("bridge_key_wrong", f"The bridge {at} has another key.", field="key")
        case ConnectError.NEEDS_KEY:
            return InvalidError(
                "bridge_key_needed",
                f"The bridge {at} has a key already.",
                remedy="Paste the key that ESPHome or Home Assistant shows for it.",
                field="key",
            )
        case ConnectError.NOT_ENCRYPTED:
            return InvalidError(
                "bridge_not_encrypted", f"The bridge {at} speaks without encryption: it has no key.", field="key"
            )
        case ConnectError.WRONG_DEVICE:
            return ConflictError("bridge_wrong_device", f"Another device answers at {at}.", field="host")
        case _:
            return InvalidError(
                "bridge_unreachable",
                f"There is no bridge at {at}, or it does not answer.",
                remedy="Check address and power; it listens on port 6053.",
                field="host",
            )
