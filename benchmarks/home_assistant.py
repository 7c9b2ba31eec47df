"""What the integration costs a Home Assistant: 50 mowers that report every second, 4,000 entities.

    .venv/bin/python benchmarks/home_assistant.py [--json] [--quick]

An emulated gateway and an MQTT broker run in this process, Home Assistant 2026.10 in another one, without a recorder.
Counted is the processor time of its event loop's thread, less what it needs when nothing is reported, so that other
programs weigh little. The same number of state writes goes through Home Assistant's own MQTT integration.
docs/figures.md tells what the numbers mean.
"""

import argparse
import asyncio
import itertools
import json
import sys
import tempfile
from asyncio.subprocess import PIPE, Process
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from edge_gateway.api.events.readers import PAUSE_SECONDS, Reader
from scripts.set_up.environments import ENVIRONMENTS
from scripts.set_up.places import ROOT
from tests.emulators.gateway import documents
from tests.emulators.gateway.gateway import EmulatedGateway
from tests.emulators.mammotion.broker import CloudBroker

MOWERS = 50
AREAS = 17
SCHEDULES = 3
"""Of each mower: with what else it has, 80 entities."""

INSIDE = ROOT / "benchmarks" / "home_assistant_parts" / "inside.py"


class House:
    """What Home Assistant talks to; it is told what to do by lines from there."""

    def __init__(self) -> None:
        """Prepare 50 mowers."""
        self.gateway = EmulatedGateway()
        self.broker = CloudBroker()
        self._changes = 0
        self.gateway.mowers.clear()
        self.gateway.schedules.clear()
        for number in range(MOWERS):
            mower_id = f"mower-{number}"
            self.gateway.mowers[mower_id] = documents.mower(
                id=mower_id,
                name=f"Mower {number}",
                activity="mowing",
                areas=[
                    {"id": f"area-{area}", "name": f"Area {area}", "enabled": True, "size_m2": 100.0}
                    for area in range(AREAS)
                ],
            )
            for plan in range(SCHEDULES):
                schedule_id = f"schedule-{number}-{plan}"
                self.gateway.schedules[schedule_id] = documents.schedule(
                    id=schedule_id, name=f"Plan {number} {plan}", target={"mower_id": mower_id}
                )

    async def obey(self, order: str, *arguments: str) -> None:
        """Do what a line says."""
        match order, arguments:
            case "feed_gateway", (seconds,):
                await self._feed_gateway(int(seconds))
            case "feed_broker", (seconds, at_once):
                await self._feed_broker(int(seconds), int(at_once))
            case "discover", ():
                await self._discover()
            case "stop_gateway", ():
                await self.gateway.stop()
            case "start_gateway", ():
                await self.gateway.start()
            case _:
                raise ValueError(order)

    async def _feed_gateway(self, seconds: int) -> None:
        """Have every mower report every second: it moved, its battery and its progress changed.

        What is sent when is the real gateway's rule.
        """
        loop = asyncio.get_running_loop()
        reader = Reader(MOWERS, ())
        sender = asyncio.create_task(self._send(reader))
        begun = loop.time()
        for number in range(seconds * MOWERS):
            second, mower = divmod(number, MOWERS)
            await asyncio.sleep(begun + number / MOWERS - loop.time())
            view = self.gateway.mowers[f"mower-{mower}"]
            view |= {
                "observed_at": f"2026-05-01T07:{second // 60:02}:{second % 60:02}.123456Z",
                "battery_percent": 90 - second,
                "progress_percent": float(second),
                "position": {"latitude": 52.0 + second / 1e5, "longitude": 4.9, "observed_at": "2026-05-01T06:59:30Z"},
            }
            self._changes += 1
            change = documents.change(cursor=f"r{self._changes}", id=f"report-{self._changes}", mower=view)
            reader.offer(json.dumps(change).encode(), patient=True)
        await asyncio.sleep(2 * PAUSE_SECONDS)
        sender.cancel()

    async def _send(self, reader: Reader) -> None:
        while True:
            await self.gateway.events.send_raw((await reader.next()).decode())

    async def _discover(self) -> None:
        """Tell Home Assistant of two sensors for each mower."""
        for mower, what in itertools.product(range(MOWERS), ("battery", "progress")):
            name = f"{what}-{mower}"
            sensor = {"name": what, "unique_id": name, "state_topic": f"mowers/{name}", "unit_of_measurement": "%"}
            device = {"identifiers": [f"mower-{mower}"], "name": f"Mower {mower}"}
            await self.broker.publish(
                f"homeassistant/sensor/{name}/config", json.dumps(sensor | {"device": device}).encode()
            )

    async def _feed_broker(self, seconds: int, at_once: int) -> None:
        """Have the same sensors change as often: those of so many mowers in one moment, and then none for longer."""
        loop = asyncio.get_running_loop()
        begun = loop.time()
        for number in range(seconds * MOWERS):
            second, mower = divmod(number, MOWERS)
            if number % at_once == 0:
                await asyncio.sleep(begun + number / MOWERS - loop.time())
            await self.broker.publish(f"mowers/battery-{mower}", str(90 - second).encode())
            await self.broker.publish(f"mowers/progress-{mower}", str(second).encode())


async def measure(*, quick: bool) -> dict[str, Any]:
    """Return all figures."""
    house = House()
    await house.gateway.start()
    await house.broker.start()
    try:
        with tempfile.TemporaryDirectory() as folder:
            child = await asyncio.create_subprocess_exec(
                *(str(ENVIRONMENTS["home-assistant-2026.10"].python), str(INSIDE), folder),
                *(str(house.gateway.port), house.gateway.token, str(house.broker.port), "8" if quick else "30"),
                stdin=PIPE,
                stdout=PIPE,
                limit=2**20,
            )
            try:
                return await _serve(child, house)
            finally:
                if child.returncode is None:
                    child.kill()
                await child.wait()
    finally:
        await house.gateway.stop()
        await house.broker.stop()


async def _serve(child: Process, house: House) -> dict[str, Any]:
    """Do what Home Assistant's process asks for until it has its figures."""
    if child.stdout is None or child.stdin is None:
        raise RuntimeError("Home Assistant's process was started without pipes")
    while line := (await child.stdout.readline()).decode().strip():
        if line.startswith("{"):
            figures: dict[str, Any] = json.loads(line)
            return figures
        await house.obey(*line.split())
        child.stdin.write(b"done\n")
    raise RuntimeError("Home Assistant's process ended without figures")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print nothing but one JSON object")
    parser.add_argument("--quick", action="store_true", help="a quarter of the time: a look, no verdict")
    arguments = parser.parse_args()
    figures = asyncio.run(measure(quick=arguments.quick))
    print(json.dumps(figures, indent=None if arguments.json else 2))


if __name__ == "__main__":
    main()
