"""The emulation as a program of its own, controlled over HTTP as end-to-end tests do it."""

import asyncio
import json
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import ClientSession

ROOT = Path(__file__).parents[3]
START_SECONDS = 30
STOP_SECONDS = 10


@pytest.fixture
async def control() -> AsyncIterator[ClientSession]:
    """Return a client of the running program, which ends well when it is told to stop."""
    program = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.emulators.mammotion", "--mowers", "2", "--speed", "20",
        cwd=ROOT, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        assert program.stdout is not None
        async with asyncio.timeout(START_SECONDS):
            address = json.loads(await program.stdout.readline())
        async with ClientSession(base_url=address["url"]) as session:
            yield session
        program.send_signal(signal.SIGTERM)
        async with asyncio.timeout(STOP_SECONDS):
            assert await program.wait() == 0
    finally:
        if program.returncode is None:
            program.kill()
            await program.wait()


async def test_it_is_looked_at_and_changed(control: ClientSession) -> None:
    second = {"mower": "Luba-VPEMU0002"}
    async with control.put("/_emulator/mower", params=second, json={"battery_percent": 41}) as answer:
        assert (await answer.json())["battery_percent"] == 41
    async with control.post("/_emulator/mower/order", params=second, json={"order": "start"}) as answer:
        assert await answer.json() == {"result": 0}
    async with control.get("/_emulator/mower", params=second) as answer:
        mower = await answer.json()
        assert (mower["name"], mower["mode"]) == ("Luba-VPEMU0002", 13)
        assert [area["name"] for area in mower["areas"]] == ["Front lawn", "Back lawn"]
    async with control.put("/_emulator/faults", json={"mowers": {"Luba-VPEMU0002": {"silent": True}}}) as answer:
        assert (await answer.json())["mowers"]["Luba-VPEMU0002"]["silent"]
    for path in ("/_emulator/log", "/_emulator/reports"):
        async with control.get(path, params=second) as answer:
            assert isinstance(await answer.json(), list)
    async with control.get("/_emulator/calls") as answer:
        assert await answer.json() == {"calls": [], "logins": 0}
    async with control.post("/_emulator/broker", json={"action": "drop"}) as answer:
        assert answer.status == 200


async def test_what_it_does_not_know_is_refused(control: ClientSession) -> None:
    async with control.put("/_emulator/mower", params={"mower": "Luba-VPEMU0001"}, json={"colour": 1}) as answer:
        assert answer.status == 422
    async with control.put("/_emulator/faults", json={"mowers": {"Luba-VPEMU0001": {"bad_mood": True}}}) as answer:
        assert answer.status == 422
    async with control.post(
        "/_emulator/mower/order", params={"mower": "Luba-VPEMU0001"}, json={"order": "dance"}
    ) as answer:
        assert answer.status == 422
    async with control.get("/_emulator/mower", params={"mower": "Nobody"}) as answer:
        assert answer.status == 404
