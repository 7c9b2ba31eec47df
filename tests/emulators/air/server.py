"""Where the mowers are: tells which peripherals there are, and carries one connection of one for each of its own.

`{"do": "list"}` is answered with all of them. `{"do": "connect", "mac": …}` connects one until the line ends; then
`{"do": "write", "uuid": …, "data": base64}` writes, and `{"uuid": …, "data": base64}` comes back.
"""

import asyncio
import base64
import json
from collections.abc import Sequence
from typing import Any

from tests.emulators.esphome_bridge.peripheral import Peripheral


class AirServer:
    """Serves the peripherals of one process on loopback."""

    def __init__(self, peripherals: Sequence[Peripheral]) -> None:
        """Take the peripherals."""
        self.port = 0
        self._peripherals = {peripheral.mac: peripheral for peripheral in peripherals}
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        """Listen on a free port."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Listen no more, and break everything off."""
        if self._server is not None:
            self._server.close()
            self._server.close_clients()
            await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connected: Peripheral | None = None

        def notify(uuid: str, data: bytes) -> None:
            _say(writer, {"uuid": uuid, "data": base64.b64encode(data).decode()})

        try:
            while line := await reader.readline():
                order = json.loads(line)
                if order["do"] == "list":
                    _say(writer, {"peripherals": [_described(each) for each in self._peripherals.values()]})
                elif order["do"] == "connect":
                    connected = self._peripherals[order["mac"]]
                    connected.connects += 1
                    connected.connected(notify)
                elif connected is not None:
                    connected.written(order["uuid"], base64.b64decode(order["data"]))
        finally:
            if connected is not None:
                connected.disconnected()
            writer.close()


def _say(writer: asyncio.StreamWriter, message: dict[str, Any]) -> None:
    if not writer.is_closing():
        writer.write(json.dumps(message).encode() + b"\n")


def _described(peripheral: Peripheral) -> dict[str, Any]:
    return {
        "mac": peripheral.mac,
        "name": peripheral.name,
        "service": peripheral.service,
        "rssi": peripheral.rssi,
        "connects": peripheral.connects,
        "characteristics": [{"uuid": one.uuid, "properties": one.properties} for one in peripheral.characteristics],
    }
