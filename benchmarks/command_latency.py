"""How long an order takes from the API to the first protobuf frame at the mower.

The whole program runs, with an emulated Mammotion cloud that answers at once. An order is timed from just before its
HTTP request to the moment at which its frames reach the emulated mower: pause and resume of a mower at work, in turn,
so that each order sends exactly one frame that moves it. `cloud_*` is the first frame of any kind (the mower is told
to report often before it moves), `move_*` the one that moves it, `bridge_*` the one that moves it when the mower is
reached over an emulated Bluetooth bridge instead (goal: a median under 20 ms), `home_assistant_*` the same over the
Bluetooth of an emulated Home Assistant.

    .venv/bin/python benchmarks/command_latency.py [--orders 50] [--json]
"""

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

import aiohttp  # noqa: E402  # the project's own packages are found only now

from scripts.running.emulated_cloud import EmulatedCloud  # noqa: E402  # the same
from scripts.running.gateway import Gateway  # noqa: E402  # the same
from scripts.set_up.environments import ENVIRONMENTS  # noqa: E402  # the same

FINAL = {"confirmed", "failed", "expired"}
WAIT_SECONDS = 60.0
_FRAMES = {"todev_report_cfg", "todev_taskctrl"}
"""What an order sends; the library's own keep-alives are left out."""


type Taken = list[tuple[float, float]]
"""The milliseconds of each order to its first frame and to the one that moves the mower."""


async def measure(orders: int) -> tuple[Taken, Taken, Taken]:
    """Return what orders took over the cloud, over a bridge and over Home Assistant."""
    with tempfile.TemporaryDirectory() as name:
        folder, port = Path(name), _free_port()
        async with EmulatedCloud(
            folder / "cloud.log.txt",
            report_period_factor=0.2,
            bridge=True,
            lend_to=(f"http://127.0.0.1:{port}", folder / "gateway" / "token"),
        ) as cloud:
            gateway = Gateway(
                python=ENVIRONMENTS["gateway"].python,
                root=ROOT,
                data_folder=folder / "gateway",
                port=port,
                variables={"MOWDECK_SIM_MOWERS": "0", **cloud.variables},
            )
            async with gateway, aiohttp.ClientSession() as session:
                await cloud.join(gateway)
                mower_id = await _mower(gateway)
                await _order(gateway, mower_id, "start_mow", "start")
                over_cloud = await _measure(gateway, cloud, session, mower_id, orders, over="cloud")
                await gateway.request("POST", "/bridges", {"host": "127.0.0.1", "port": cloud.bridge_port})
                await _over(gateway, "bridge")
                over_bridge = await _measure(gateway, cloud, session, mower_id, orders, over="bluetooth")
                await gateway.request("PUT", f"/mowers/{mower_id}/links", {"order": ["home_assistant", "cloud"]})
                await _over(gateway, "home_assistant")
                lent = await _measure(gateway, cloud, session, mower_id, orders, over="bluetooth", key="lent")
                return over_cloud, over_bridge, lent


async def _measure(
    gateway: Gateway,
    cloud: EmulatedCloud,
    session: aiohttp.ClientSession,
    mower_id: str,
    orders: int,
    *,
    over: str,
    key: str = "",
) -> Taken:
    key = key or over
    taken: Taken = []
    for number in range(1, orders + 1):
        sent_at = time.time()
        await _order(gateway, mower_id, "pause" if number % 2 else "resume", f"{key}-{number}")
        async with session.get(f"{cloud.url}/_emulator/log") as answer:
            log: list[dict[str, Any]] = await answer.json()
        since = [message for message in log if message["at"] >= sent_at and message["name"] in _FRAMES]
        moves = [message for message in since if message["name"] == "todev_taskctrl"]
        if [message["over"] for message in moves] != [over]:
            message = f"order {number} over {over} sent {len(moves)} frames that move the mower"
            raise RuntimeError(message)
        taken.append(((since[0]["at"] - sent_at) * 1000, (moves[0]["at"] - sent_at) * 1000))
    if orders % 2:
        await _order(gateway, mower_id, "resume", f"{key}-end")
    return taken


async def _over(gateway: Gateway, kind: str) -> None:
    """Wait until the mower is reached over this kind of link."""
    async with asyncio.timeout(WAIT_SECONDS):
        while True:
            (mower,) = (await gateway.request("GET", "/mowers"))["items"]
            if any(link["kind"] == kind and link["current"] for link in mower["links"]):
                return
            await asyncio.sleep(0.1)


async def _mower(gateway: Gateway) -> str:
    async with asyncio.timeout(WAIT_SECONDS):
        while True:
            mowers = (await gateway.request("GET", "/mowers"))["items"]
            if mowers and mowers[0]["available"] and mowers[0]["areas"]:
                mower_id: str = mowers[0]["id"]
                return mower_id
            await asyncio.sleep(0.1)


async def _order(gateway: Gateway, mower_id: str, kind: str, key: str) -> None:
    """Order, and wait until the mower is seen doing it."""
    command = await gateway.request("POST", f"/mowers/{mower_id}/commands", {"kind": kind}, key=f"latency-{key}")
    async with asyncio.timeout(WAIT_SECONDS):
        while command["status"] not in FINAL:
            await asyncio.sleep(0.05)
            command = await gateway.request("GET", f"/commands/{command['id']}")
    if command["status"] != "confirmed":
        message = f"{kind}: {command['status']} {command['reason']} {command['values']}"
        raise RuntimeError(message)


def _free_port() -> int:
    import socket  # noqa: PLC0415  # only here

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def main() -> None:
    """Measure and tell."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--orders", type=int, default=50)
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    options = parser.parse_args()
    over_cloud, over_bridge, lent = asyncio.run(measure(options.orders))
    result: dict[str, float] = {"orders": len(over_cloud)}
    for name, taken, column in (
        ("cloud", over_cloud, 0),
        ("move", over_cloud, 1),
        ("bridge", over_bridge, 1),
        ("home_assistant", lent, 1),
    ):
        values = [row[column] for row in taken]
        result[f"{name}_median_ms"] = round(statistics.median(values), 1)
        result[f"{name}_p99_ms"] = round(statistics.quantiles(values, n=100, method="inclusive")[98], 1)
    if options.json:
        print(json.dumps(result))
    else:
        print(*(f"{name} {value}" for name, value in result.items()), sep="\n")


if __name__ == "__main__":
    main()
