"""The emulation as a program of its own: `python -m tests.emulators.mammotion --port 8799`.

It prints one JSON line with its address when it listens, and stops on SIGTERM.
"""

import argparse
import asyncio
import json
import signal
import sys
from pathlib import Path

from tests.emulators.air.server import AirServer
from tests.emulators.esphome_bridge.bridge import EmulatedBridge
from tests.emulators.esphome_bridge.mower_face import MowerFace
from tests.emulators.home_assistant_bluetooth.lender import EmulatedHomeAssistant
from tests.emulators.mammotion.emulator import MammotionEmulator
from tests.eventually import eventually

_TOKEN_SECONDS = 120.0
"""A gateway may take so long to make its token."""


def main() -> None:
    """Run until a signal comes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 picks a free one")
    parser.add_argument("--mowers", type=int, default=1)
    parser.add_argument("--speed", type=float, default=1.0, help="how much faster than the clock the mowers live")
    parser.add_argument("--report-period-factor", type=float, default=1.0, help="smaller: reports come faster")
    parser.add_argument("--bridge", action="store_true", help="with a Bluetooth bridge that hears the mowers")
    parser.add_argument("--bridge-port", type=int, default=0, help="0 picks a free one")
    parser.add_argument(
        "--lend-to",
        nargs=2,
        metavar=("URL", "TOKEN_FILE"),
        help="with a Home Assistant that lends its Bluetooth to the gateway at this URL, as soon as it has a token",
    )
    parser.add_argument("--air", action="store_true", help="with the mowers' Bluetooth for a scanner elsewhere")
    arguments = parser.parse_args()
    asyncio.run(_run(arguments))


async def _run(arguments: argparse.Namespace) -> None:
    stop = asyncio.Event()
    for stopping in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(stopping, stop.set)
    emulator = MammotionEmulator(speed=arguments.speed, report_period_factor=arguments.report_period_factor)
    await emulator.start(port=arguments.port)
    faces = []
    for number in range(1, arguments.mowers + 1):
        member = emulator.add_mower(f"Luba-VPEMU{number:04}")
        faces.append(MowerFace(member, mac=f"C0:FF:EE:00:{number >> 8:02X}:{number & 0xFF:02X}"))
    account = emulator.account
    address: dict[str, object] = {"url": emulator.url, "username": account.username, "password": account.password}
    bridge = EmulatedBridge([face.peripheral for face in faces])
    if arguments.bridge:
        bridge.port = arguments.bridge_port
        await bridge.start()
        address["bridge_port"] = bridge.port
    home = EmulatedHomeAssistant([face.peripheral for face in faces])
    lending = asyncio.create_task(_lend(home, *arguments.lend_to)) if arguments.lend_to else None
    air = AirServer([face.peripheral for face in faces])
    if arguments.air:
        await air.start()
        address["air_port"] = air.port
    sys.stdout.write(json.dumps(address) + "\n")
    sys.stdout.flush()
    await stop.wait()
    if lending is not None:
        lending.cancel()
    await home.stop()
    await air.stop()
    await bridge.stop()
    await emulator.stop()


async def _lend(home: EmulatedHomeAssistant, url: str, token_file: str) -> None:
    """Dial a gateway as soon as it has made its token."""
    file = Path(token_file)

    async def made() -> bool:
        return file.exists()

    await eventually(made, seconds=_TOKEN_SECONDS)
    token = file.read_text(encoding="utf-8").strip()
    headers = {"Authorization": f"Bearer {token}", "X-MowDeck-Principal": "user:owner"}
    home.start(f"{url}/api/v1/bluetooth", headers)


if __name__ == "__main__":
    main()
