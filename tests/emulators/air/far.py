"""Where the scanner is: the peripherals of another process, as if they were here."""

import asyncio
import base64
import json
from collections.abc import Callable
from typing import Any

from tests.emulators.esphome_bridge.peripheral import Characteristic, Peripheral


async def peripherals_at(port: int) -> list[Peripheral]:
    """Return what an `AirServer` of this machine has."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b'{"do": "list"}\n')
    answer = json.loads(await reader.readline())
    writer.close()
    return [_Far(port, described).peripheral for described in answer["peripherals"]]


async def connects_at(port: int) -> int:
    """Return how often anybody connected to any of them."""
    return sum(peripheral.connects for peripheral in await peripherals_at(port))


class _Far:
    """One of them."""

    def __init__(self, port: int, described: dict[str, Any]) -> None:
        """Be what was described."""
        self._port = port
        self._carrying: asyncio.Task[None] | None = None
        self._orders: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.peripheral = Peripheral(
            mac=described["mac"],
            name=described["name"],
            service=described["service"],
            rssi=described["rssi"],
            connects=described["connects"],
            characteristics=[Characteristic(**each) for each in described["characteristics"]],
            connected=self._connected,
            disconnected=self._disconnected,
            written=self._written,
        )

    def _connected(self, notify: Callable[[str, bytes], None]) -> None:
        self._orders = asyncio.Queue()
        self._orders.put_nowait({"do": "connect", "mac": self.peripheral.mac})
        self._carrying = asyncio.get_running_loop().create_task(self._carry(notify))

    def _disconnected(self) -> None:
        if self._carrying is not None:
            self._carrying.cancel()

    def _written(self, uuid: str, data: bytes) -> None:
        self._orders.put_nowait({"do": "write", "uuid": uuid, "data": base64.b64encode(data).decode()})

    async def _carry(self, notify: Callable[[str, bytes], None]) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        listening = asyncio.get_running_loop().create_task(_listen(reader, notify))
        try:
            while True:
                writer.write(json.dumps(await self._orders.get()).encode() + b"\n")
        finally:
            listening.cancel()
            writer.close()


async def _listen(reader: asyncio.StreamReader, notify: Callable[[str, bytes], None]) -> None:
    while line := await reader.readline():
        said = json.loads(line)
        notify(said["uuid"], base64.b64decode(said["data"]))
