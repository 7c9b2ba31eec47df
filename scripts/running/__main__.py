"""What scripts/run does: starts it all, watches it, stops it."""

import argparse
import asyncio
import contextlib
import os
import signal
import socket
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from scripts.running import demonstration
from scripts.running.emulated_cloud import EmulatedCloud
from scripts.running.gateway import Gateway
from scripts.running.home_assistant import HomeAssistant
from scripts.running.options import read_options
from scripts.running.process import Process, ProcessEndedError
from scripts.set_up.console import complain, say
from scripts.set_up.environments import ENVIRONMENTS
from scripts.set_up.places import ROOT

_BRIDGE_PORT = 6053
"""Where bridges listen; another one is taken when it is in use."""
_NEWEST = "home-assistant-2026.11"


def _is_free(port: int) -> bool:
    with contextlib.closing(socket.socket()) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


def _taken_port(options: argparse.Namespace) -> str | None:
    wanted = {"--gateway-port": options.gateway_port}
    if not options.gateway_only:
        wanted["--home-assistant-port"] = options.home_assistant_port
    for option, port in wanted.items():
        if not _is_free(port):
            return f"Port {port} is in use. Stop what listens there, or choose another with {option}."
    return None


def _unusable_folder(folder: Path) -> str | None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = str(error.strerror)
    else:
        if os.access(folder, os.W_OK):
            return None
        reason = "this user may not write there"
    return f"{folder} cannot be used: {reason}. Choose another folder with --data-dir."


def _emulated_cloud(data_folder: Path) -> EmulatedCloud:
    """Return a cloud with a bridge beside it, which is at the same address each time, where that is free."""
    bridge_port = _BRIDGE_PORT if _is_free(_BRIDGE_PORT) else 0
    return EmulatedCloud(data_folder / "emulated-cloud.log.txt", bridge=True, bridge_port=bridge_port)


async def _run(options: argparse.Namespace) -> None:
    started = time.monotonic()
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    # SIGHUP comes when the terminal is closed: the children have sessions of their own and would live on.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, stop.set)
    data_folder: Path = options.data_dir.resolve()
    cloud = _emulated_cloud(data_folder) if options.emulate_mammotion else None
    if cloud is not None:
        say("Starting the emulated cloud …")
        await cloud.start()
    gateway = Gateway(
        python=ENVIRONMENTS["gateway"].python,
        root=ROOT,
        data_folder=data_folder / "gateway",
        port=options.gateway_port,
        variables={
            "MOWDECK_SIM_MOWERS": str(options.mowers),
            **({} if cloud is None else cloud.variables),
            "MOWDECK_SCHEDULER_WEATHER_PROVIDER": os.environ.get("MOWDECK_SCHEDULER_WEATHER_PROVIDER", "static"),
        },
    )
    home_assistant = HomeAssistant(
        python=ENVIRONMENTS[_NEWEST].python,
        folder=data_folder / "home-assistant",
        integration=ROOT / "custom_components" / "mowdeck",
        port=options.home_assistant_port,
    )
    road = asyncio.create_task(_build_road(options, gateway, home_assistant, cloud, started))
    stopped = asyncio.create_task(stop.wait())
    try:
        await asyncio.wait({road, stopped}, return_when=asyncio.FIRST_COMPLETED)
        if road.done():
            await road
            children = [gateway.process]
            children += [] if options.gateway_only else [home_assistant.process]
            children += [] if cloud is None else [cloud.process]
            await _watch(stopped, children)
    finally:
        road.cancel()
        stopped.cancel()
        await asyncio.gather(road, stopped, return_exceptions=True)
        _say_if_heard("Stopping …")
        await home_assistant.stop()
        await gateway.stop()
        if cloud is not None:
            await cloud.stop()
        _say_if_heard("Stopped.")


def _say_if_heard(line: str) -> None:
    """Print a line; a terminal that is gone keeps nothing from being stopped."""
    try:
        say(line)
    except OSError:
        # What could not be written would be tried again at the end of the program, and fail there.
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115  # closed by the end itself


async def _build_road(
    options: argparse.Namespace,
    gateway: Gateway,
    home_assistant: HomeAssistant,
    cloud: EmulatedCloud | None,
    started: float,
) -> None:
    say(f"Starting the gateway with {options.mowers} simulated mowers …")
    if options.gateway_only:
        await gateway.start()
    else:
        say("Starting Home Assistant …")
        home_assistant.install()
        await asyncio.gather(gateway.start(), home_assistant.start())
        say("Preparing Home Assistant …")
        await demonstration.prepare(home_assistant, gateway, mowers=options.mowers)
    if cloud is not None:
        say("Logging in to the emulated cloud …")
        await cloud.join(gateway)
    say(f"Ready after {time.monotonic() - started:.0f} s.")
    print(f"\n  The gateway's API   {gateway.url}   (token: {gateway.data_folder / 'token'})")
    if not options.gateway_only:
        print(f"  Home Assistant      {home_assistant.url}/{demonstration.DASHBOARD_PATH}")
        print(f"  user {demonstration.USERNAME}, password {demonstration.PASSWORD}")
    if cloud is not None:
        print(f"  Mammotion account   {cloud.username}, password {cloud.password}; emulated, and logged in already")
        print(f"  Bluetooth bridge    host 127.0.0.1, port {cloud.bridge_port}, no key; emulated, and yours to add")
    print(f"  Logs                {gateway.process.log}")
    if not options.gateway_only:
        print(f"                      {home_assistant.process.log}")
    print("\n  Ctrl-C stops it all.\n", flush=True)


async def _watch(stopped: asyncio.Task[bool], processes: Sequence[Process]) -> None:
    """Return when we are told to stop; raise `ProcessEndedError` when a child ends by itself."""
    ends = [asyncio.create_task(process.wait()) for process in processes]
    await asyncio.wait({stopped, *ends}, return_when=asyncio.FIRST_COMPLETED)
    for end in ends:
        end.cancel()
    await asyncio.gather(*ends, return_exceptions=True)
    if not stopped.done():
        for process in processes:
            process.check()


def main() -> int:
    """Carry out `scripts/run` and return its exit code."""
    options = read_options()
    taken = _taken_port(options)
    if taken is not None:
        complain(taken)
        return 1
    unusable = _unusable_folder(options.data_dir)
    if unusable is not None:
        complain(unusable)
        return 1
    try:
        asyncio.run(_run(options))
    except (ProcessEndedError, TimeoutError) as error:
        complain(str(error))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
