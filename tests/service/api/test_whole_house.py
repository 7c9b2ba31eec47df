"""The API with everything real behind it: simulated mowers, the Scheduler, Telemetry, the Fleet."""

import sys
from asyncio.subprocess import PIPE, STDOUT, create_subprocess_exec
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.eventually import eventually
from tests.service.api.whole_house import WholeHouse, open_whole_house

pytestmark = pytest.mark.timeout(180)

STRANGER = "user:stranger"
SCHEDULE: dict[str, Any] = {
    "name": "Front",
    "recurrence": {"kind": "every_n_days", "interval": 2, "anchor": "2026-05-01", "at": "09:00"},
    "duration_minutes": 90,
}


@pytest.fixture
async def whole(
    postgres_url: str, nats_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[WholeHouse]:
    """Return the API of a whole program with two simulated mowers."""
    for name, value in {
        "DATABASE_URL": postgres_url,
        "NATS_URL": nats_url,
        "API_PORT": "0",
        "SIM_MOWERS": "2",
        "SCHEDULER_WEATHER_PROVIDER": "static",
        "SCHEDULER_TICK_SECONDS": "1",
        "BRIDGES_DISCOVER": "false",
        "BRIDGES_MEET_SECONDS": "0.05",
    }.items():
        monkeypatch.setenv(f"MOWDECK_{name}", value)
    async with open_whole_house(tmp_path / "data") as house:
        yield house


async def test_an_order_is_carried_out_and_shown(whole: WholeHouse) -> None:
    mower, _ = await whole.mowers(2)
    body = {"kind": "start_mow", "mode": "new", "area_ids": [mower["areas"][0]["id"]]}
    status, command = await whole.ask("POST", f"/mowers/{mower['id']}/commands", body, key="k1")
    assert status == 202

    async def confirmed() -> bool:
        _, now = await whole.ask("GET", f"/commands/{command['id']}")
        assert now["status"] not in ("failed", "expired"), now
        return bool(now["status"] == "confirmed")

    await eventually(confirmed, seconds=30)
    _, seen = await whole.ask("GET", f"/mowers/{mower['id']}")
    assert seen["activity"] == "mowing"
    assert seen["job"]["command_id"] == command["id"]


async def test_a_schedule_lives_through_its_routes(whole: WholeHouse) -> None:
    mower, _ = await whole.mowers(2)
    draft = SCHEDULE | {"target": {"mower_id": mower["id"]}}
    status, schedule = await whole.ask("POST", "/schedules", draft, key="k1")
    assert status == 201
    assert (await whole.ask("POST", "/schedules", draft, key="k1"))[1]["id"] == schedule["id"]
    path = f"/schedules/{schedule['id']}"
    assert schedule["next_run_at"]

    status, skipped = await whole.ask("POST", f"{path}/skip-next", {"occurrence": schedule["next_run_at"]})
    assert (status, skipped["next_run_skipped"], len(skipped["skips"])) == (200, True, 1)
    status, unskipped = await whole.ask("DELETE", f"{path}/skip-next")
    assert (status, unskipped["next_run_skipped"]) == (200, False)

    status, changed = await whole.ask("PATCH", path, {"enabled": False, "rain": {"enabled": False}})
    assert (status, changed["enabled"], changed["next_run_at"], changed["rain"]["enabled"]) == (200, False, None, False)
    status, page = await whole.ask("POST", f"{path}/run-now", key="k2")
    assert (status, len(page["items"])) == (202, 1)
    run_id = page["items"][0]["id"]
    for runs in (f"{path}/runs", f"/runs?mower_id={mower['id']}"):
        _, listed = await whole.ask("GET", runs)
        assert [run["id"] for run in listed["items"]] == [run_id]
    assert (await whole.ask("DELETE", path))[0] == 204
    assert (await whole.ask("GET", path))[0] == 404
    _, listed = await whole.ask("GET", "/runs")
    assert [run["id"] for run in listed["items"]] == [run_id]


NOT_A_NUMBER = msgspec.Raw(b"NaN")
BAD: list[tuple[dict[str, Any], str]] = [
    ({"recurrence": {"kind": "weekly", "days": [], "at": "09:00"}}, "recurrence.days"),
    ({"recurrence": {"kind": "weekly", "days": ["mon"], "at": "25:00"}}, "recurrence.at"),
    ({"recurrence": {"kind": "once", "day": "2031-01-01", "at": "9 o'clock"}}, "recurrence.at"),
    ({"recurrence": SCHEDULE["recurrence"] | {"interval": 0}}, "recurrence.interval"),
    ({"duration_minutes": 0}, "duration_minutes"),
    ({"duration_minutes": 1441}, "duration_minutes"),
    ({"time_zone": "Berlin"}, "time_zone"),
    ({"rain": {"probability_percent": "NaN"}}, "rain.probability_percent"),
    ({"rain": {"precipitation_mm": -1}}, "rain.precipitation_mm"),
    ({"pattern": {"angle": 720}}, "pattern.angle"),
    ({"angles": [0, 720]}, "angles[1]"),
    ({"area_ids": ["nowhere"]}, "area_ids"),
    ({"target": {"mower_id": "nobody"}}, "target.mower_id"),
    ({"ends_on": "2020-01-01", "starts_on": "2021-01-01"}, "ends_on"),
]


async def test_what_the_scheduler_refuses_is_named_as_the_caller_knows_it(whole: WholeHouse) -> None:
    mower, _ = await whole.mowers(2)
    draft = SCHEDULE | {"target": {"mower_id": mower["id"]}}
    _, schedule = await whole.ask("POST", "/schedules", draft, key="k1")
    for number, (changes, field) in enumerate(BAD):
        status, body = await whole.ask("POST", "/schedules", draft | changes, key=f"bad-{number}")
        assert (status, body["error"]["field"]) == (422, field), body
        status, body = await whole.ask("PATCH", f"/schedules/{schedule['id']}", changes)
        assert (status, body["error"]["field"]) == (422, field), body
        status, body = await whole.ask("POST", "/schedules/preview", {"draft": draft | changes})
        assert (status, body["error"]["field"]) == (422, f"draft.{field}"), body
    # JSON has no word for what is no number; programs write it all the same.
    status, body = await whole.ask("POST", "/schedules", draft | {"rain": {"precipitation_mm": NOT_A_NUMBER}}, key="n")
    assert (status, body["error"]["field"]) == (422, "rain.precipitation_mm"), body
    _, page = await whole.ask("GET", "/schedules")
    assert [one["id"] for one in page["items"]] == [schedule["id"]]


async def test_places_in_lists_that_are_none(whole: WholeHouse) -> None:
    status, body = await whole.ask("GET", "/runs?cursor=nonsense")
    assert (status, body["error"]["field"]) == (422, "cursor")


async def test_a_stranger_is_unknown_everywhere(whole: WholeHouse) -> None:
    mower, _ = await whole.mowers(2)
    draft = SCHEDULE | {"target": {"mower_id": mower["id"]}}
    _, schedule = await whole.ask("POST", "/schedules", draft, key="k1")
    _, command = await whole.ask("POST", f"/mowers/{mower['id']}/commands", {"kind": "refresh"}, key="k1")
    one, plan = f"/mowers/{mower['id']}", f"/schedules/{schedule['id']}"
    # An empty list would tell a stranger nothing and refuse nothing.
    assert (await whole.ask("POST", f"{plan}/run-now", key="k2"))[0] == 202
    square = [{"latitude": north, "longitude": east} for north, east in ((50, 8), (50, 9), (51, 9), (51, 8))]
    login = {"provider": "mammotion", "username": "u", "password": "p"}
    for method, path, body in (
        ("GET", "/mowers", None),
        ("GET", one, None),
        ("PATCH", one, {"name": "Mine"}),
        ("GET", f"{one}/map", None),
        ("GET", f"{one}/history", None),
        ("GET", f"{one}/positions", None),
        ("GET", f"{one}/settings", None),
        ("PUT", f"{one}/settings/cutting_height_mm", {"value": 40}),
        ("PATCH", f"{one}/areas/{mower['areas'][0]['id']}", {"enabled": False}),
        ("POST", f"{one}/commands", {"kind": "pause"}),
        ("GET", f"/commands/{command['id']}", None),
        ("GET", "/schedules", None),
        ("POST", "/schedules", draft),
        ("GET", plan, None),
        ("PATCH", plan, {"enabled": False}),
        ("DELETE", plan, None),
        ("POST", f"{plan}/run-now", None),
        ("POST", f"{plan}/skip-next", None),
        ("DELETE", f"{plan}/skip-next", None),
        ("GET", f"{plan}/runs", None),
        ("GET", "/runs", None),
        ("GET", "/sites", None),
        ("GET", "/sites/home", None),
        ("POST", "/sites", {"name": "x", "time_zone": "UTC"}),
        ("PATCH", "/sites/home", {"name": "Mine"}),
        ("DELETE", "/sites/home", None),
        ("GET", f"{one}/geofence", None),
        ("PUT", f"{one}/geofence", {"boundary": square}),
        ("DELETE", f"{one}/geofence", None),
        ("GET", "/sites/home/geofence", None),
        ("PUT", "/sites/home/geofence", {"boundary": square}),
        ("DELETE", "/sites/home/geofence", None),
        ("GET", "/findings", None),
        ("GET", "/vendor-accounts", None),
        ("POST", "/vendor-accounts", login),
        ("PATCH", "/vendor-accounts/x", {"password": "p"}),
        ("DELETE", "/vendor-accounts/x", None),
    ):
        status, answer = await whole.ask(method, path, body, key="stranger", principal=STRANGER)
        told = (status, answer["error"]["code"], answer["error"]["field"])
        assert told == (403, "unknown_principal", "X-MowDeck-Principal"), (method, path, answer)


async def test_generated_requests_find_nothing_that_the_document_does_not_say(
    whole: WholeHouse, tmp_path: Path
) -> None:
    await whole.mowers(2)
    process = await create_subprocess_exec(
        sys.executable, "-m", "schemathesis.cli", "run", f"{whole.url}/api/v1/openapi.json",
        "-H", f"Authorization: Bearer {whole.token}", "-H", "X-MowDeck-Principal: user:owner",
        # WebSockets.
        "--exclude-operation-id", "events", "--exclude-operation-id", "bluetooth",
        "--phases", "coverage,fuzzing", "--max-examples", "5", "--seed", "1", "--no-shrink",
        # Rules that a schema cannot say (both coordinates or none) refuse what it allows, and a header that nobody
        # knows is no violation.
        "--checks", "all", "--exclude-checks", "positive_data_acceptance,negative_data_rejection",
        stdout=PIPE, stderr=STDOUT, cwd=tmp_path,
    )  # fmt: skip
    output, _ = await process.communicate()
    assert process.returncode == 0, output.decode()[-8000:]
