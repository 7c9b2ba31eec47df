"""What fifty Mammotion mowers in one gateway cost: processor time and memory, docked and while all of them mow.

The provider runs in this process with its default settings; the emulated cloud, broker and mowers run in another one
and are not counted.

    .venv/bin/python benchmarks/many_mowers.py [--mowers 50] [--seconds 60] [--json]
"""

import argparse
import asyncio
import json
import logging
import os
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

import aiohttp  # noqa: E402  # the project's own packages are found only now

from benchmarks.mammotion_parts import sides  # noqa: E402  # the same

MIB = 1024 * 1024
WAIT_SECONDS = 300.0
SETTLING_SECONDS = 45.0


def resident_mib() -> float:
    """Return the memory of this process that is in use."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return round(pages * os.sysconf("SC_PAGE_SIZE") / MIB, 1)


def processor_seconds() -> float:
    """Return the processor time that this process has used."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


async def measure(mowers: int, seconds: float) -> dict[str, float]:
    """Follow so many mowers, docked and mowing, for so long each."""
    program = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.emulators.mammotion", "--mowers", str(mowers)),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        if program.stdout is None:
            raise RuntimeError
        address = json.loads(await program.stdout.readline())
        result: dict[str, float] = {"mowers": mowers, "memory_before_library_mib": resident_mib()}
        sides.load_for_gateway(address["url"])
        result["memory_with_library_mib"] = resident_mib()
        async with aiohttp.ClientSession(base_url=address["url"]) as control:
            return result | await _measure(address, control, mowers, seconds)
    finally:
        program.terminate()
        await program.wait()


async def _measure(
    address: dict[str, str], control: aiohttp.ClientSession, mowers: int, seconds: float
) -> dict[str, float]:
    from tests.emulators.mammotion.account import EmulatedAccount  # noqa: PLC0415  # the library is loaded by then

    account = EmulatedAccount(username=address["username"], password=address["password"])
    began = processor_seconds()
    followed = await sides.follow_with_gateway(address["url"], account, mowers=mowers)
    await _until(lambda: all(heard.states for heard in followed.heard))
    # What is read once: maps, settings, plans. A map that a busy machine was too slow for is read again later.
    await asyncio.sleep(SETTLING_SECONDS)
    result: dict[str, float] = {
        "start_cpu_seconds": round(processor_seconds() - began, 2),
        "memory_followed_mib": resident_mib(),
        "maps_complete": sum(bool(heard.maps) and heard.maps[-1].complete for heard in followed.heard),
        "docked_cpu_percent": await _processor_percent(seconds),
    }
    for number in range(1, mowers + 1):
        wish = {"order": "start"}
        async with control.post(
            "/_emulator/mower/order", params={"mower": f"Luba-VPEMU{number:04}"}, json=wish
        ) as answer:
            answer.raise_for_status()
    await _until(lambda: all(heard.states[-1].activity == "mowing" for heard in followed.heard))
    before = sum(len(heard.states) for heard in followed.heard)
    result["mowing_cpu_percent"] = await _processor_percent(seconds)
    result["reports_per_second"] = round((sum(len(heard.states) for heard in followed.heard) - before) / seconds, 1)
    result["memory_mowing_mib"] = resident_mib()
    await followed.stop()
    return result


async def _until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(WAIT_SECONDS):
        while not true():  # noqa: ASYNC110  # of fifty mowers, half a second more or less does not matter
            await asyncio.sleep(0.5)


async def _processor_percent(seconds: float) -> float:
    used, began = processor_seconds(), time.monotonic()
    await asyncio.sleep(seconds)
    return round(100 * (processor_seconds() - used) / (time.monotonic() - began), 1)


def main() -> None:
    """Measure and tell."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--mowers", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    options = parser.parse_args()
    logging.disable(logging.WARNING)
    result = asyncio.run(measure(options.mowers, options.seconds))
    if options.json:
        print(json.dumps(result))
    else:
        print(*(f"{name} {value}" for name, value in result.items()), sep="\n")


if __name__ == "__main__":
    main()
