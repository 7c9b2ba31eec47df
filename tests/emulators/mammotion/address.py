"""Where the emulated cloud listens in this process: chosen once, before pymammotion is imported.

pymammotion reads the addresses of its cloud from the environment when it is first imported, so every test of one
process shares them.
"""

import os
import socket
import sys
from functools import cache

POLL_SECONDS = {
    "MAMMOTION_POLL_ACTIVE_SECS": "3600",
    "MAMMOTION_POLL_DOCKED_CHARGING_SECS": "3600",
    "MAMMOTION_POLL_DOCKED_FULL_SECS": "3600",
    "MAMMOTION_POLL_IDLE_SECS": "3600",
    "MAMMOTION_POLL_SLEEPING_SECS": "3600",
}
"""Long enough that in a test only the gateway's own requests are seen."""


@cache
def emulator_port() -> int:
    """Return the port for the emulated cloud of this process and point pymammotion there."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    if "pymammotion" in sys.modules:
        msg = "pymammotion was imported before its cloud's address was set: call emulator_port() in a conftest first"
        raise RuntimeError(msg)
    url = f"http://127.0.0.1:{port}"
    os.environ["MAMMOTION_DOMAIN"] = url
    os.environ["MAMMOTION_API_DOMAIN"] = url
    os.environ.update(POLL_SECONDS)
    return port


def emulator_url() -> str:
    """Return the address of the emulated cloud of this process."""
    return f"http://127.0.0.1:{emulator_port()}"
