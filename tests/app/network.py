"""A network of the test's own, as the apps have it: the Supervisor's address, and nothing else of the world."""

import asyncio
import fcntl
import os
import socket
import struct

from tests.background_loop import BackgroundLoop
from tests.emulators.supervisor.supervisor import HOST

_SET_ADDRESS, _SET_MASK, _SET_FLAGS = 0x8916, 0x891C, 0x8914
_UP_AND_RUNNING = 0x41


def make_network() -> BackgroundLoop:
    """Return a loop whose thread, and every process started in it, sees that network alone. Needs root."""
    loop = BackgroundLoop()
    loop.run(_enter())
    return loop


async def stand_still(*, still: bool) -> None:
    """Have that network carry nothing, or go on; to be run in its loop. Nobody on it is told: what is sent is lost."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as handle:
        _set_flags(handle, "lo", 0 if still else _UP_AND_RUNNING)
    await asyncio.sleep(0)


async def _enter() -> None:
    # Of this thread alone: the other threads of the tests stay where they are.
    os.unshare(os.CLONE_NEWNET)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as handle:
        for interface, address in (("lo", "127.0.0.1"), ("lo:1", HOST)):
            name = interface.encode()
            place = struct.pack("16sH2s4s8s", name, socket.AF_INET, b"", socket.inet_aton(address), b"")
            fcntl.ioctl(handle, _SET_ADDRESS, place)
            _set_flags(handle, interface, _UP_AND_RUNNING)
    await asyncio.sleep(0)


def _set_flags(handle: socket.socket, interface: str, flags: int) -> None:
    fcntl.ioctl(handle, _SET_FLAGS, struct.pack("16sh14s", interface.encode(), flags, b""))
