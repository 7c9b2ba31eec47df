"""With everything real behind it: a simulated mower gets into trouble, and the owner hears of it."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from edge_gateway.bus.jetstream import JetStreamBus
from edge_gateway.contracts import subjects
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.contracts.envelope import Envelope
from edge_gateway.contracts.notifications import Notification, NotificationCode, Phase
from tests.eventually import eventually
from tests.service.api.whole_house import WholeHouse, open_whole_house

pytestmark = pytest.mark.timeout(180)


@pytest.fixture
async def whole(
    postgres_url: str, nats_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[WholeHouse]:
    """Return the API of a whole program with one simulated mower, in a hurry."""
    for name, value in {
        "DATABASE_URL": postgres_url,
        "NATS_URL": nats_url,
        "API_PORT": "0",
        "SIM_MOWERS": "1",
        "SIM_SPEED": "60",
        "SCHEDULER_WEATHER_PROVIDER": "static",
        "NOTIFICATIONS_TICK_SECONDS": "0.1",
        "NOTIFICATIONS_CLEAR_SECONDS": "0",
        "NOTIFICATIONS_OFFLINE_SECONDS": "1",
        "NOTIFICATIONS_RESUMED_SECONDS": "3",
        "NOTIFICATIONS_GEOFENCE_SECONDS": "0",
    }.items():
        monkeypatch.setenv(f"MOWDECK_{name}", value)
    async with open_whole_house(tmp_path / "data") as house:
        yield house


async def _finding(whole: WholeHouse, code: str) -> dict[str, Any]:
    async def look() -> dict[str, Any] | None:
        _, page = await whole.ask("GET", "/findings")
        return next((finding for finding in page["items"] if finding["code"] == code), None)

    return await eventually(look, seconds=60)


async def _until_over(whole: WholeHouse, code: str) -> None:
    async def look() -> bool:
        _, page = await whole.ask("GET", "/findings")
        return all(finding["code"] != code for finding in page["items"])

    await eventually(look, seconds=60)


async def _until_activity(whole: WholeHouse, mower_id: str, activity: str) -> None:
    async def look() -> bool:
        _, mower = await whole.ask("GET", f"/mowers/{mower_id}")
        return bool(mower["activity"] == activity)

    await eventually(look, seconds=60)


async def _order(whole: WholeHouse, mower_id: str, kind: str) -> None:
    status, answer = await whole.ask("POST", f"/mowers/{mower_id}/commands", {"kind": kind}, key=kind)
    assert status == 202, answer


async def _fault(whole: WholeHouse, mower_id: str, fault: str) -> None:
    status, answer = await whole.ask("PUT", f"/mowers/{mower_id}/settings/simulated_fault", {"value": fault})
    assert status == 202, answer


async def test_a_mower_that_gets_stuck(whole: WholeHouse) -> None:
    (mower,) = await whole.mowers(1)
    assert (await whole.ask("GET", "/findings"))[1]["items"] == []
    await _fault(whole, mower["id"], "stuck")
    await _order(whole, mower["id"], "start_mow")

    finding = await _finding(whole, "stuck")
    assert (finding["mower_id"], finding["detail"]) == (mower["id"], "The mower is stuck.")


async def test_a_mower_that_goes_offline_and_comes_back(whole: WholeHouse) -> None:
    (mower,) = await whole.mowers(1)
    await _fault(whole, mower["id"], "offline")
    assert (await _finding(whole, "offline"))["mower_id"] == mower["id"]


async def test_a_mower_that_leaves_although_it_was_sent_home(whole: WholeHouse) -> None:
    (mower,) = await whole.mowers(1)
    await _fault(whole, mower["id"], "leaves_by_itself")
    await _order(whole, mower["id"], "start_mow")
    await _until_activity(whole, mower["id"], "mowing")
    await _order(whole, mower["id"], "return_to_dock")

    finding = await _finding(whole, "resumed_by_itself")
    assert finding["values"]["kind"] == "return_to_dock"
    await _order(whole, mower["id"], "pause")
    await _until_over(whole, "resumed_by_itself")


async def test_a_mower_that_is_stolen(whole: WholeHouse, nats_url: str) -> None:
    """It stands in its dock with no job, and is suddenly far from the garden: its map is the geofence."""
    (mower,) = await whole.mowers(1)
    told: asyncio.Queue[Notification] = asyncio.Queue()

    async def hear(envelope: Envelope) -> None:
        await told.put(envelope.decode(Notification))

    bus = await JetStreamBus.connect(nats_url, clock=SystemClock(), instance_id="listener")
    await bus.subscribe(subjects.NOTIFICATION, hear, acknowledge=False)
    await _fault(whole, mower["id"], "carried_away")
    async with asyncio.timeout(60):
        event = await told.get()
    assert (event.mower_id, event.code, event.phase) == (mower["id"], NotificationCode.LEFT_GEOFENCE, Phase.BEGAN)
    finding = await _finding(whole, "left_geofence")
    assert (finding["mower_id"], finding["severity"]) == (mower["id"], "alarm")
    assert finding["values"]["metres_outside"] > 100

    await _fault(whole, mower["id"], "none")
    await _until_over(whole, "left_geofence")
    await bus.close()
