"""What a mower costs in requests: docked for 24 hours, and during a job of 3 hours, in virtual time.

The gateway's provider with its default settings is compared with the vendor's library as it polls by default when
nobody asks anything (no watchers), each in a process of its own against the emulated cloud and mower. Counted is every
HTTP request to the vendor after the first five minutes, in which both read what they read once.

    .venv/bin/python benchmarks/idle_traffic.py [--json]
"""

import argparse
import asyncio
import json
import logging
import socket
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.mammotion_parts.virtual_time import VirtualClock, run  # noqa: E402  # the project's own are found now

SCENARIOS = {"docked": 24 * 3600, "job": 3 * 3600}
"""Virtual seconds of each."""
SIDES = ("gateway", "library")
SETTLING_SECONDS = 300
STEP_SECONDS = 5.0
"""How often the emulated mower lives on: in steps of a twentieth of a second a day would take half an hour."""
_SEND = "/v1/mqtt/rpc/thing/service/invoke"


def measure(side: str, scenario: str) -> dict[str, float]:
    """Run one side of one scenario in this process."""
    logging.disable(logging.WARNING)
    clock = VirtualClock()
    clock.install()
    return run(_measure(side, scenario, clock), clock)


async def _measure(side: str, scenario: str, clock: VirtualClock) -> dict[str, float]:
    # Only now, so that everything lives in virtual time.
    from benchmarks.mammotion_parts import sides  # noqa: PLC0415  # as said above

    port = _free_port()
    url = f"http://127.0.0.1:{port}"
    if side == "gateway":
        sides.load_for_gateway(url)
    else:
        sides.point_library_at(url)
    emulator = await _emulator(port)
    if side == "gateway":
        stop = (await sides.follow_with_gateway(url, emulator.account)).stop
    else:
        stop = await sides.leave_to_library(emulator.account)
    member = emulator.member()
    if scenario == "job":
        from tests.emulators.mammotion.control import start_from_app  # noqa: PLC0415  # as said above

        if start_from_app(member) != 0:
            message = "the emulated mower did not start"
            raise RuntimeError(message)
    await asyncio.sleep(SETTLING_SECONDS)
    before, reported, began = len(emulator.cloud.calls), len(member.conversation.reported), clock.monotonic()
    await asyncio.sleep(SCENARIOS[scenario])
    calls = Counter(emulator.cloud.calls[before:])
    if scenario == "job" and member.mower.job is None:
        message = "the emulated job ended before its time"
        raise RuntimeError(message)
    result = {
        "hours": round((clock.monotonic() - began) / 3600, 1),
        "requests": calls.total(),
        "messages": calls[_SEND],
        "reports": len(member.conversation.reported) - reported,
    }
    await stop()
    await emulator.stop()
    return result


async def _emulator(port: int) -> Any:  # noqa: ANN401  # its class brings the library in
    from tests.emulators.mammotion import emulator as emulation  # noqa: PLC0415  # the library is loaded by then
    from tests.emulators.mammotion import mower  # noqa: PLC0415  # the same
    from tests.emulators.mammotion.geometry import rectangle  # noqa: PLC0415  # the same

    emulation.TICK_SECONDS = STEP_SECONDS
    mower.DRAIN_PERCENT_PER_SECOND = 0.0
    emulator = emulation.MammotionEmulator()
    await emulator.start(port=port)
    member = emulator.add_mower()
    # Large enough for more than three hours.
    member.mower.garden = member.mower.garden.with_area("Front lawn", rectangle(1.0, 20.0, 60.0, 60.0))
    return emulator


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def main() -> None:
    """Measure and tell."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    parser.add_argument("--only", nargs=2, metavar=("SIDE", "SCENARIO"), help="measure this one, in this process")
    options = parser.parse_args()
    if options.only:
        print(json.dumps(measure(*options.only)))
        return
    results: dict[str, float] = {}
    for scenario in SCENARIOS:
        for side in SIDES:
            command = [sys.executable, __file__, "--only", side, scenario]
            ended = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603  # ourselves
            measured = json.loads(ended.stdout.splitlines()[-1])
            results |= {f"{scenario}_{side}_{name}": value for name, value in measured.items()}
    if options.json:
        print(json.dumps(results))
    else:
        print(*(f"{name} {value}" for name, value in results.items()), sep="\n")


if __name__ == "__main__":
    main()
