"""What the whole app takes of memory, idle: the program, PostgreSQL and NATS, what they share counted once.

One simulated mower against the goal of 250 MiB; a Mammotion account with one mower (the emulated cloud) against 350.

    .venv/bin/python benchmarks/memory.py [--seconds 60]
"""

import argparse
import asyncio
import json
import socket
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from edge_gateway.ingress.memory import used_bytes  # noqa: E402  # the project's own are found now
from scripts.running.emulated_cloud import EmulatedCloud  # noqa: E402
from scripts.running.gateway import Gateway  # noqa: E402

GOALS_MEBIBYTES = {"simulated": 250, "mammotion": 350}
_MEBIBYTE = 1024 * 1024


async def measure(kind: str, seconds: float) -> float:
    """Run a gateway idle for so long and return what it takes then, in MiB."""
    with tempfile.TemporaryDirectory() as scratch:
        cloud = EmulatedCloud(Path(scratch) / "cloud.log")
        if kind == "mammotion":
            await cloud.start()
        variables = cloud.variables if kind == "mammotion" else {"MOWDECK_SIM_MOWERS": "1"}
        gateway = Gateway(
            python=Path(sys.executable),
            root=ROOT,
            data_folder=Path(scratch) / "data",
            port=_free_port(),
            # As in the app: with its page.
            variables={**variables, "MOWDECK_INGRESS_PORT": "0"},
        )
        try:
            await gateway.start()
            if kind == "mammotion":
                await cloud.join(gateway)
            async with asyncio.timeout(60):
                while not (await gateway.request("GET", "/mowers"))["items"]:  # noqa: ASYNC110  # a process of its own
                    await asyncio.sleep(0.2)
            await asyncio.sleep(seconds)
            return used_bytes(int((Path(scratch) / "data/lock").read_text())) / _MEBIBYTE
        finally:
            await gateway.stop()
            if kind == "mammotion":
                await cloud.stop()


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def main() -> int:
    """Print the figures as JSON; 1 when a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="how long it is idle before it is measured")
    seconds = parser.parse_args().seconds
    found = {kind: round(asyncio.run(measure(kind, seconds)), 1) for kind in GOALS_MEBIBYTES}
    print(json.dumps({"mebibytes": found, "goals": GOALS_MEBIBYTES}, indent=1))
    return int(any(found[kind] > goal for kind, goal in GOALS_MEBIBYTES.items()))


if __name__ == "__main__":
    sys.exit(main())
