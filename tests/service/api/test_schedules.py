"""`/schedules` and `/runs`: what the API hands to the Scheduler, and what it makes of the answers."""

from datetime import UTC, datetime
from typing import Any

import pytest

from tests.service.api.house import ApiHouse

DRAFT: dict[str, Any] = {
    "name": "Front",
    "target": {"mower_id": "m1"},
    "recurrence": {"kind": "weekly", "days": ["mon", "thu"], "at": "09:00"},
    "duration_minutes": 90,
}


async def create(house: ApiHouse, **changes: Any) -> dict[str, Any]:  # noqa: ANN401  # JSON by name
    answer = await house.ask("POST", "/schedules", DRAFT | changes, key="k")
    assert answer.status == 201
    schedule: dict[str, Any] = answer.body
    return schedule


async def test_a_schedule_is_made_read_changed_and_deleted(house: ApiHouse) -> None:
    schedule = await create(house, rain={"enabled": False}, ends_on="2030-01-01")
    question = house.scheduler.asked[-1]
    assert (question.key, question.on_behalf_of) == ("k", "user:owner")
    assert {name: schedule[name] for name in DRAFT} == DRAFT
    assert (schedule["owner"], schedule["ends_on"], schedule["rain"]["enabled"]) == ("user:owner", "2030-01-01", False)

    path = f"/schedules/{schedule['id']}"
    assert (await house.ask("GET", path)).body == schedule
    changed = await house.ask("PATCH", path, {"enabled": False, "ends_on": None})
    assert house.scheduler.asked[-1].changes == {"enabled": False, "ends_on": None}
    assert (changed.status, changed.body["enabled"], changed.body["ends_on"]) == (200, False, None)
    assert await house.ask("DELETE", path) == (204, None)
    gone = await house.ask("GET", path)
    assert (gone.status, gone.error["field"]) == (404, "schedule_id")


async def test_schedules_come_in_pages_and_by_mower(house: ApiHouse) -> None:
    made = [await create(house, target={"mower_id": f"m{number % 2}"}) for number in range(5)]
    first = (await house.ask("GET", "/schedules?limit=3")).body
    second = (await house.ask("GET", f"/schedules?limit=3&cursor={first['next']}")).body
    assert [item["id"] for item in first["items"] + second["items"]] == sorted(item["id"] for item in made)
    assert second["next"] is None
    assert len((await house.ask("GET", "/schedules?mower_id=m1")).body["items"]) == 2


async def test_running_now_acts_for_its_caller_once_per_key(house: ApiHouse) -> None:
    schedule = await create(house)
    path = f"/schedules/{schedule['id']}/run-now"
    answer = await house.ask("POST", path, key="k2", headers={"X-MowDeck-Origin": "voice"})
    assert (answer.status, answer.body["items"][0]["schedule_id"], answer.body["next"]) == (202, schedule["id"], None)
    question = house.scheduler.asked[-1]
    assert (question.key, question.origin, question.on_behalf_of) == ("k2", "voice", "user:owner")
    assert (await house.ask("POST", path, {}, key="k3")).status == 202
    unknown = await house.ask("POST", path, {"force": True}, key="k4")
    assert (unknown.status, unknown.error["field"]) == (422, "force")


async def test_an_occurrence_is_skipped_and_taken_back(house: ApiHouse) -> None:
    schedule = await create(house)
    path = f"/schedules/{schedule['id']}/skip-next"
    answer = await house.ask("POST", path)
    assert (answer.status, answer.body["next_run_skipped"]) == (200, True)
    assert house.scheduler.asked[-1].occurrence is None
    conflict = await house.ask("POST", path)
    assert (conflict.status, conflict.error["code"]) == (409, "already_skipped")
    answer = await house.ask("DELETE", path, {"occurrence": "2026-05-01T09:00:00+02:00"})
    assert (answer.status, answer.body["next_run_skipped"]) == (200, False)
    assert house.scheduler.asked[-1].occurrence == datetime(2026, 5, 1, 7, tzinfo=UTC)
    naive = await house.ask("POST", path, {"occurrence": "2026-05-01T09:00:00"})
    assert (naive.status, naive.error["field"]) == (422, "occurrence")


async def test_runs_are_listed_for_all_and_for_one(house: ApiHouse) -> None:
    house.scheduler.runs = [house.scheduler.make_run("s1"), house.scheduler.make_run("s1")]
    answer = await house.ask("GET", "/runs?limit=1&mower_id=m1&schedule_id=s1&cursor=newer")
    assert (len(answer.body["items"]), answer.body["next"]) == (1, "older")
    asked = house.scheduler.asked[-1]
    assert (asked.limit, asked.mower_id, asked.schedule_id, asked.before) == (1, "m1", "s1", "newer")
    await house.ask("GET", "/schedules/s9/runs")
    assert house.scheduler.asked[-1].schedule_id == "s9"
    refused = await house.ask("GET", "/schedules/s9/runs?schedule_id=s1")
    assert (refused.status, refused.error["field"]) == (422, "schedule_id")


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"duration_minutes": 0}, "duration_minutes"),
        ({"recurrence": {"kind": "monthly", "at": "09:00"}}, "recurrence.kind"),
        ({"target": {"mower": "m1"}}, "target.mower"),
        ({"colour": "red"}, "colour"),
    ],
)
async def test_what_is_wrong_with_a_schedule_is_named(house: ApiHouse, changes: dict[str, Any], field: str) -> None:
    answer = await house.ask("POST", "/schedules", DRAFT | changes, key="k")
    assert (answer.status, answer.error["field"]) == (422, field)
    assert house.scheduler.schedules == {}


async def test_a_service_that_is_not_there_is_said_to_be_none(house: ApiHouse) -> None:
    await house.scheduler.stop()
    answer = await house.ask("GET", "/schedules")
    assert (answer.status, answer.error["code"]) == (503, "no_responder")
