"""ESPHome's own firmware code, built for this machine, answers the client that the gateway uses.

It is built from the package of ESPHome with the machine's compiler and nothing from the network. What cannot be built
so: `bluetooth_proxy` (only for chips with a radio), the encrypted API (its library comes from PlatformIO's registry)
and any image for a chip (its compiler comes from Espressif). The gateway's side of those is tested with
`tests/emulators/esphome_bridge`.
"""

import asyncio
import os
import random
import shutil
import socket
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from aioesphomeapi import ButtonInfo, LogLevel, SensorInfo, SensorState
from aioesphomeapi.client import APIClient
from aioesphomeapi.core import APIConnectionError

from scripts.set_up.environments import ENVIRONMENTS
from tests.eventually import eventually

pytestmark = [pytest.mark.needs_compiler, pytest.mark.timeout(420)]
BUILD_TIMEOUT_SECONDS = 360
WAIT_SECONDS = 30
# Below the ports that systems give to clients, so that no connection of another test takes it meanwhile.
PORTS = range(18_000, 28_000)


def free_port() -> int:
    """Return a port on which nobody listens."""
    while True:
        port = random.choice(PORTS)  # noqa: S311 - no secret
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("", port))
            return port


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Build the firmware and run it; return the port of its API."""
    folder: Path = tmp_path_factory.mktemp("host")
    shutil.copy(Path(__file__).parent / "host" / "host.yaml", folder)
    port = free_port()
    esphome = [str(ENVIRONMENTS["esphome"].python), "-m", "esphome", "-s", "api_port", str(port)]
    # ESPHome keeps what it compiled, and the firmware what it remembers, below the home folder.
    environment = {**os.environ, "HOME": str(folder)}
    built = subprocess.run(  # noqa: S603 - the command is our own
        [*esphome, "compile", "host.yaml"],
        check=False,
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment,
        timeout=BUILD_TIMEOUT_SECONDS,
    )
    assert built.returncode == 0, (built.stdout + built.stderr)[-3000:]
    (program,) = folder.glob(".esphome/build/*/.pioenvs/*/program")
    with subprocess.Popen(  # noqa: S603 - built just now
        [str(program)], cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as running:
        try:
            yield port
        finally:
            running.kill()


@asynccontextmanager
async def connected(port: int, *, key: str | None = None) -> AsyncIterator[APIClient]:
    """Connect as soon as the firmware listens."""

    async def connect() -> APIClient | None:
        client = APIClient("127.0.0.1", port, None, noise_psk=key, client_info="MowDeck")
        try:
            await client.connect(login=True)
        except OSError, APIConnectionError:
            return None
        return client

    client = await eventually(connect, seconds=WAIT_SECONDS)
    try:
        yield client
    finally:
        await client.disconnect()


async def test_it_says_what_it_is(port: int) -> None:
    async with connected(port) as client:
        device = await client.device_info()
    assert (device.name, device.project_name) == ("mowdeck-bridge-host", "mowdeck.bridge")
    assert device.mac_address == "02:00:00:00:00:05"
    assert device.esphome_version.startswith("2026.10.")
    # No bridge: this is what the gateway turns away.
    assert device.bluetooth_proxy_feature_flags == 0


async def test_it_tells_what_the_gateway_reads_under_the_ids_that_it_looks_for(port: int) -> None:
    """Names become ids in the firmware or the client: "Wi-Fi" would not contain "wifi"."""
    values: dict[str, float] = {}
    all_told = asyncio.Event()
    async with connected(port) as client:
        entities, _ = await client.list_entities_services()
        ids = {entity.key: entity.object_id for entity in entities if isinstance(entity, SensorInfo)}
        assert [entity.object_id for entity in entities if isinstance(entity, ButtonInfo)] == ["restart"]

        def take(state: object) -> None:
            if isinstance(state, SensorState) and not state.missing_state:
                values[ids[state.key]] = state.state
                if values.get("uptime", 0) > 0 and "wifi_signal" in values:
                    all_told.set()

        client.subscribe_states(take)
        await asyncio.wait_for(all_told.wait(), WAIT_SECONDS)
    assert values["wifi_signal"] == -67


async def test_it_sends_its_log(port: int) -> None:
    """The gateway reads there who takes the advertisements away."""
    told = asyncio.Event()
    async with connected(port) as client:
        client.subscribe_logs(lambda _message: told.set(), log_level=LogLevel.LOG_LEVEL_CONFIG, dump_config=True)
        await asyncio.wait_for(told.wait(), WAIT_SECONDS)


async def test_a_firmware_without_encryption_never_gets_a_client_with_a_key(port: int) -> None:
    """A program that has a key does not fall back to plain words (home-assistant/core 142381)."""
    async with connected(port) as client:
        assert client.api_version is not None
    with_key = APIClient("127.0.0.1", port, None, noise_psk="EN0Xmtd1UYuPdF42kgzhiZ3n7KdFcyq7MhMI6PSAq3k=")
    with pytest.raises(APIConnectionError):
        await with_key.connect(login=True)
    assert with_key.api_version is None
