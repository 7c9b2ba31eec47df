"""`/groups`, quiet hours of `/sites`, and skips by date, through the API's door."""

from typing import Any

import pytest

from edge_gateway.contracts import routes
from edge_gateway.contracts.schedules import Schedule, SkipDateRequest
from tests.service.api.house import ApiHouse

DRAFT: dict[str, Any] = {
    "name": "Front",
    "target": {"mower_id": "m1"},
    "recurrence": {"kind": "weekly", "days": ["mon", "thu"], "at": "09:00"},
    "duration_minutes": 90,
}
NIGHT = {
    "begin": {"at": "21:00", "sun": "sunset", "offset_minutes": -30},
    "end": {"at": "07:00"},
}


async def test_a_group_is_made_read_changed_and_deleted(house: ApiHouse) -> None:
    mower_id = house.fleet.mower_id
    made = await house.ask("POST", "/groups", {"name": "Both", "mower_ids": [mower_id], "max_concurrent": 1})
    assert made.status == 201
    path = f"/groups/{made.body['id']}"
    assert (await house.ask("GET", path)).body == made.body
    assert (await house.ask("GET", "/groups")).body == {"items": [made.body], "next": None}
    changed = await house.ask("PATCH", path, {"max_concurrent": None, "name": "All"})
    assert changed.body == made.body | {"max_concurrent": None, "name": "All"}
    assert await house.ask("DELETE", path) == (204, None)
    for method, body in (("GET", None), ("PATCH", {"name": "X"}), ("DELETE", None)):
        gone = await house.ask(method, path, body)
        assert (gone.status, gone.error["field"]) == (404, "group_id")


async def test_a_group_that_schedules_plan_with_stays_and_they_are_named(house: ApiHouse) -> None:
    made = (await house.ask("POST", "/groups", {"name": "Both", "mower_ids": [house.fleet.mower_id]})).body
    path = f"/groups/{made['id']}"
    plans = [
        (await house.ask("POST", "/schedules", DRAFT | {"name": name, "target": target}, key=name)).body
        for name, target in (("Front", {"group_id": made["id"]}), ("Back", {"mower_id": house.fleet.mower_id}))
    ]
    refused = await house.ask("DELETE", path)
    assert (refused.status, refused.error["code"], refused.error["field"]) == (409, "group_in_use", "group_id")
    assert refused.error["detail"].startswith(
        "The group cannot be deleted: a schedule plans with it (\u201cFront\u201d)."
    )
    assert refused.error["values"]["schedules"] == [{"id": plans[0]["id"], "name": "Front"}]
    assert (await house.ask("GET", path)).status == 200
    await house.ask("DELETE", f"/schedules/{plans[0]['id']}")
    assert await house.ask("DELETE", path) == (204, None)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"mower_ids": []}, "mower_ids"),
        ({"mower_ids": ["nobody"]}, "mower_ids"),
        ({"max_concurrent": 0}, "max_concurrent"),
        ({"name": ""}, "name"),
        ({"colour": "green"}, "colour"),
    ],
)
async def test_a_bad_group_is_a_422_with_its_field(house: ApiHouse, changes: dict[str, Any], field: str) -> None:
    answer = await house.ask("POST", "/groups", {"name": "G", "mower_ids": [house.fleet.mower_id]} | changes)
    assert (answer.status, answer.error["field"]) == (422, field)


async def test_quiet_hours_of_a_site(house: ApiHouse) -> None:
    assert (await house.ask("GET", "/sites/home")).body["quiet_hours"] is None
    changed = await house.ask("PATCH", "/sites/home", {"quiet_hours": NIGHT})
    assert (changed.status, changed.body["quiet_hours"]) == (200, NIGHT)
    assert (await house.ask("PATCH", "/sites/home", {"name": "Garden"})).body["quiet_hours"] == NIGHT
    assert (await house.ask("PATCH", "/sites/home", {"quiet_hours": None})).body["quiet_hours"] is None


@pytest.mark.parametrize(
    ("quiet_hours", "field"),
    [
        (NIGHT | {"begin": {"at": "25:00"}}, "quiet_hours.begin.at"),
        (NIGHT | {"end": {"at": "21:00"}}, "quiet_hours.end.at"),
        (NIGHT | {"end": {"at": "07:00", "offset_minutes": 9}}, "quiet_hours.end.offset_minutes"),
        (NIGHT | {"end": {"at": "07:00", "sun": "noon"}}, "quiet_hours.end.sun"),
        ({"begin": {"at": "21:00"}}, "quiet_hours.end"),
        (NIGHT | {"from": "21:00"}, "quiet_hours.from"),
    ],
)
async def test_bad_quiet_hours_are_a_422_with_their_field(
    house: ApiHouse, quiet_hours: dict[str, Any], field: str
) -> None:
    answer = await house.ask("PATCH", "/sites/home", {"quiet_hours": quiet_hours})
    assert (answer.status, answer.error["field"]) == (422, field)


async def test_an_occurrence_is_skipped_by_its_date(house: ApiHouse) -> None:
    made = (await house.ask("POST", "/schedules", DRAFT, key="k")).body
    asked: list[tuple[str, SkipDateRequest]] = []

    async def put(question: SkipDateRequest) -> Schedule:
        asked.append(("put", question))
        return house.scheduler.schedules[made["id"]]

    async def delete(question: SkipDateRequest) -> Schedule:
        asked.append(("delete", question))
        return house.scheduler.schedules[made["id"]]

    replies = [await house.bus.reply(routes.SKIPS_PUT, put), await house.bus.reply(routes.SKIPS_DELETE, delete)]
    path = f"/schedules/{made['id']}/skips"
    assert (await house.ask("PUT", f"{path}/2026-05-07")).status == 200
    assert (await house.ask("DELETE", f"{path}/2026-05-07")).status == 200
    assert [(verb, str(question.day), question.schedule_id) for verb, question in asked] == [
        ("put", "2026-05-07", made["id"]),
        ("delete", "2026-05-07", made["id"]),
    ]
    for given in ("2026-02-30", "2026-5-7", "20260507", "tomorrow"):
        refused = await house.ask("PUT", f"{path}/{given}")
        assert (refused.status, refused.error["field"]) == (422, "date")
    for reply in replies:
        await reply.unsubscribe()


async def test_running_now_in_quiet_hours_needs_a_word(house: ApiHouse) -> None:
    made = (await house.ask("POST", "/schedules", DRAFT, key="k")).body
    path = f"/schedules/{made['id']}/run-now"
    for number, (body, word) in enumerate(((None, False), ({"override_quiet_hours": True}, True))):
        assert (await house.ask("POST", path, body, key=f"key-{number}")).status == 202
        assert house.scheduler.asked[-1].override_quiet_hours is word
