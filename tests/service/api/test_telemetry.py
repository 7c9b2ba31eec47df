"""Totals, jobs, zones and exports, as a client sees them."""

import csv
import io
import json
from datetime import UTC, datetime, timedelta
from typing import Any

from edge_gateway.contracts.mower import Activity, Job, Position
from tests.eventually import eventually
from tests.service.api.house import HEADERS, ApiHouse
from tests.service.api.listening import content, listening

ZONE = {"id": "z1", "name": "Orchard", "boundary": [[52.4, 13.3], [52.4, 13.5], [52.6, 13.4]]}

DERIVED = [("telemetry.zone.entered", "z1"), ("telemetry.job.finished", "j2")]


async def mow(house: ApiHouse) -> None:
    """Let the mower mow a job of 100 seconds to its end."""
    begin = datetime.now(UTC).replace(microsecond=0) - timedelta(minutes=10)
    job = Job(id="j1", started_at=begin, area_ids=("a1",))
    for step in range(11):
        await house.tell_state(
            house.state(
                observed_at=begin + timedelta(seconds=10 * step),
                progress_percent=float(10 * step),
                area_id="a1",
                position=Position(latitude=52.5 + step * 1e-5, longitude=13.4),
                job=job,
            )
        )
    await house.tell_state(
        house.state(
            observed_at=begin + timedelta(seconds=110),
            activity=Activity.DOCKED,
            progress_percent=None,
            area_id=None,
            job=None,
            position=None,
        )
    )

    async def ended() -> bool:
        jobs = (await house.ask("GET", f"/mowers/{house.mower_id}/jobs")).body["items"]
        return bool(jobs) and jobs[0]["ended_at"] is not None

    await eventually(ended)


async def test_totals_follow_the_mower_and_blades_begin_anew(house: ApiHouse) -> None:
    await mow(house)
    health = (await house.ask("GET", f"/mowers/{house.mower_id}/health")).body
    assert (health["mowing_seconds"], health["blade_seconds"]) == (110.0, 110.0)
    assert 10 < health["distance_m"] < 12
    days = (await house.ask("GET", f"/mowers/{house.mower_id}/days")).body["items"]
    assert sum(day["mowing_seconds"] for day in days) == 110.0
    (area,) = (await house.ask("GET", f"/mowers/{house.mower_id}/areas/mowed")).body["items"]
    assert (area["area_id"], area["mowing_seconds"]) == ("a1", 110.0)

    reset = await house.ask("POST", f"/mowers/{house.mower_id}/blades/reset")

    assert (reset.status, reset.body["blade_seconds"], reset.body["mowing_seconds"]) == (200, 0.0, 110.0)
    assert reset.body["blades_reset_at"] is not None


async def test_a_job_is_one_record_with_a_track(house: ApiHouse) -> None:
    await mow(house)
    (job,) = (await house.ask("GET", f"/mowers/{house.mower_id}/jobs")).body["items"]
    assert (job["id"], job["ending"], job["progress_percent"]) == ("j1", "finished", 100.0)
    track = (await house.ask("GET", f"/mowers/{house.mower_id}/jobs/j1/track")).body["items"]
    assert [point["latitude"] for point in track] == [52.5 + step * 1e-5 for step in range(11)]
    assert (await house.ask("GET", f"/mowers/{house.mower_id}/jobs/j9/track")).status == 404
    wrong = await house.ask("GET", f"/mowers/{house.mower_id}/jobs?cursor=nonsense")
    assert (wrong.status, wrong.error["field"]) == (422, "cursor")


async def test_zones_are_kept_and_checked_and_told_with_jobs_on_the_events(house: ApiHouse) -> None:
    await mow(house)
    path = f"/mowers/{house.mower_id}/zones"
    assert (await house.ask("PUT", path, {"zones": [ZONE]})).body["items"] == [ZONE]
    assert (await house.ask("GET", path)).body["items"] == [ZONE]
    wrong = await house.ask("PUT", path, {"zones": [{**ZONE, "boundary": [[52.4, 13.3]]}]})
    assert (wrong.status, wrong.error["field"]) == (422, "zones[0].boundary")

    async with listening(house) as listener:
        await listener.greeting()
        await house.tell_state(house.state(job=Job(id="j2")))
        await house.tell_state(house.state(10, activity=Activity.DOCKED, position=None))
        told: list[tuple[str, str]] = []
        while len(told) < len(DERIVED):
            event = content(await listener.until("event"))["event"]
            if event["type"].startswith("telemetry."):
                told.append((event["type"], event["payload"].get("zone_id") or event["payload"]["job"]["id"]))
    assert told == DERIVED


async def export(house: ApiHouse, path: str) -> tuple[str, str, str]:
    """Return type, file name and text of a file."""
    async with house.session.get(f"{house.url}/api/v1/export/{path}", headers=HEADERS) as answer:
        assert answer.status == 200
        return answer.content_type, answer.headers["Content-Disposition"], await answer.text()


async def test_everything_can_be_taken_along_as_a_table(house: ApiHouse) -> None:
    await mow(house)
    kind, name, text = await export(house, f"positions?mower_id={house.mower_id}")
    assert (kind, name) == ("text/csv", f'attachment; filename="{house.mower_id}-positions.csv"')
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [float(row["latitude"]) for row in rows] == [52.5 + step * 1e-5 for step in range(11)]
    _, _, text = await export(house, f"jobs?mower_id={house.mower_id}")
    (job,) = csv.DictReader(io.StringIO(text))
    assert (job["id"], job["ending"], job["area_ids"], job["command_id"]) == ("j1", "finished", "a1", "")


async def test_everything_can_be_taken_along_as_json(house: ApiHouse) -> None:
    await mow(house)
    kind, _, text = await export(house, f"history?mower_id={house.mower_id}&format=json")
    items: list[dict[str, Any]] = json.loads(text)["items"]
    assert (kind, len(items), items[-1]["activity"]) == ("application/json", 12, "docked")
    _, _, text = await export(house, f"days?mower_id={house.mower_id}&format=json")
    assert sum(day["mowing_seconds"] for day in json.loads(text)["items"]) == 110.0
    _, _, text = await export(house, f"days?mower_id={house.mower_id}&format=json&until=2020-01-01")
    assert json.loads(text) == {"items": []}


async def test_an_export_that_cannot_begin_is_an_error_like_any_other(house: ApiHouse) -> None:
    unknown = await house.ask("GET", "/export/history?mower_id=m9")
    assert (unknown.status, unknown.error["code"]) == (404, "not_found")
    backwards = await house.ask(
        "GET", f"/export/history?mower_id={house.mower_id}&since=2026-05-02T00:00:00Z&until=2026-05-01T00:00:00Z"
    )
    assert (backwards.status, backwards.error["field"]) == (422, "since")
