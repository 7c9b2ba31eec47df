"""The native API's wire: messages in frames, plaintext or Noise, as the server of a connection."""

import asyncio
import base64
from collections.abc import Callable
from typing import Any, override

from aioesphomeapi.core import MESSAGE_TYPE_TO_PROTO
from cryptography.exceptions import InvalidTag
from noise.connection import NoiseConnection  # type: ignore[import-untyped]  # it has no types

_NUMBERS = {kind: number for number, kind in MESSAGE_TYPE_TO_PROTO.items()}
_PROTOCOL = b"Noise_NNpsk0_25519_ChaChaPoly_SHA256"
_PLAINTEXT, _ENCRYPTED = 0, 1
_NOISE_HEAD = 3


class Wire(asyncio.Protocol):
    """One client's connection."""

    def __init__(
        self,
        *,
        key: str | None,
        name: str,
        mac: str,
        opened: Callable[[Wire], None],
        closed: Callable[[Wire], None],
        heard: Callable[[Wire, Any], None],
    ) -> None:
        """Speak Noise with this key (base64), plaintext without; tell what happens."""
        self.client_info = ""
        self.transport: asyncio.Transport | None = None
        self._name, self._mac = name, mac
        self._opened, self._closed, self._heard = opened, closed, heard
        self._buffer = b""
        self._noise: NoiseConnection | None = None
        self._greeted = False
        if key is not None:
            self._noise = NoiseConnection.from_name(_PROTOCOL)
            self._noise.set_as_responder()
            self._noise.set_psks(base64.b64decode(key))

    @override
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self._opened(self)

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self._closed(self)

    @override
    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while self._take():
            pass

    def close(self) -> None:
        """Close after what is written."""
        if self.transport is not None:
            self.transport.close()

    def abort(self) -> None:
        """Break off."""
        if self.transport is not None:
            self.transport.abort()

    def send(self, message: Any) -> None:  # noqa: ANN401  # any message of the API
        """Send a message."""
        if self.transport is None or self.transport.is_closing():
            return
        number, data = _NUMBERS[type(message)], message.SerializeToString()
        if self._noise is None:
            self.transport.write(b"\0" + _varint(len(data)) + _varint(number) + data)
            return
        head = number.to_bytes(2, "big") + len(data).to_bytes(2, "big")
        self._write_noise(bytes(self._noise.encrypt(head + data)))

    def _take(self) -> bool:
        """Take one frame from the buffer; tell whether there may be another."""
        if len(self._buffer) < _NOISE_HEAD or self.transport is None or self.transport.is_closing():
            return False
        return self._take_plaintext() if self._noise is None else self._take_noise()

    def _take_plaintext(self) -> bool:
        if self._buffer[0] != _PLAINTEXT:
            # A client that wants Noise of a bridge that speaks plaintext.
            self._refuse(b"\0")
            return False
        position, values = 1, []
        for _ in range(2):
            value, position = _read_varint(self._buffer, position)
            if position < 0:
                return False
            values.append(value)
        size, number = values
        if len(self._buffer) < position + size:
            return False
        body, self._buffer = self._buffer[position : position + size], self._buffer[position + size :]
        self._understand(number, body)
        return True

    def _take_noise(self) -> bool:
        if self._buffer[0] != _ENCRYPTED:
            # A client that wants plaintext of a bridge that speaks Noise.
            self._refuse(b"\x01\0\0")
            return False
        end = _NOISE_HEAD + int.from_bytes(self._buffer[1:3], "big")
        if len(self._buffer) < end:
            return False
        body, self._buffer = self._buffer[_NOISE_HEAD:end], self._buffer[end:]
        self._hear_noise(body)
        return True

    def _hear_noise(self, body: bytes) -> None:
        noise = self._noise
        assert noise is not None
        if not self._greeted:
            self._greeted = True
            noise.set_prologue(b"NoiseAPIInit\0" + len(body).to_bytes(1, "big") + body)
            noise.start_handshake()
            mac = self._mac.replace(":", "").lower()
            self._write_noise(b"\x01" + self._name.encode() + b"\0" + mac.encode() + b"\0")
        elif not noise.handshake_finished:
            try:
                noise.read_message(body[1:])
            except InvalidTag:
                self._write_noise(b"\x01Handshake MAC failure")
                self.close()
                return
            self._write_noise(b"\0" + bytes(noise.write_message()))
        else:
            plain = bytes(noise.decrypt(body))
            self._understand(int.from_bytes(plain[:2], "big"), plain[4:])

    def _understand(self, number: int, body: bytes) -> None:
        message = MESSAGE_TYPE_TO_PROTO[number]()
        message.MergeFromString(body)
        self._heard(self, message)

    def _write_noise(self, body: bytes) -> None:
        if self.transport is not None:
            self.transport.write(b"\x01" + len(body).to_bytes(2, "big") + body)

    def _refuse(self, marker: bytes) -> None:
        if self.transport is not None:
            self.transport.write(marker)
            self.transport.close()


def _varint(value: int) -> bytes:
    out = b""
    while value > 0x7F:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def _read_varint(data: bytes, position: int) -> tuple[int, int]:
    """Return value and next position, -1 when more bytes are needed."""
    value = shift = 0
    while position < len(data):
        byte = data[position]
        position += 1
        value |= (byte & 0x7F) << shift
        if not byte & 0x80:
            return value, position
        shift += 7
    return 0, -1
