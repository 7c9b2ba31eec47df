"""`/mowers` and orders."""

from datetime import timedelta
from typing import Any

import pytest

from edge_gateway.contracts.commands import CommandStatus
from edge_gateway.contracts.map import MowerMap
from edge_gateway.contracts.mower import Activity
from tests.eventually import eventually
from tests.service.api.house import ApiHouse


async def test_a_mower_is_its_record_its_last_state_and_its_reach(house: ApiHouse) -> None:
    observed_at = await house.tell_state(house.state(battery_percent=0, progress_percent=12.5))

    async def seen() -> dict[str, Any] | None:
        mower: dict[str, Any] = (await house.ask("GET", f"/mowers/{house.mower_id}")).body
        return mower if mower["observed_at"] else None

    mower = await eventually(seen)
    assert mower is not None
    assert (mower["id"], mower["name"], mower["provider"]) == (house.mower_id, "Mower sim-1", "simulator")
    assert (mower["available"], mower["unavailable_reason"], mower["activity"]) == (True, None, "mowing")
    assert (mower["battery_percent"], mower["progress_percent"], mower["charging"]) == (0, 12.5, None)
    moment = observed_at.isoformat().replace("+00:00", "Z")
    assert mower["position"] == {"latitude": 52.5, "longitude": 13.4, "observed_at": moment}
    assert [area["id"] for area in mower["areas"]] == ["a1", "a2"]
    assert (await house.ask("GET", "/mowers")).body == {"items": [mower], "next": None}


async def test_a_mower_without_a_report_is_unknown_and_reached(house: ApiHouse) -> None:
    (mower,) = (await house.ask("GET", "/mowers")).body["items"]
    assert (mower["activity"], mower["available"], mower["battery_percent"]) == ("unknown", True, None)


async def test_an_old_report_is_found_again_after_a_restart(house: ApiHouse) -> None:
    await house.tell_state(house.state(activity=Activity.DOCKED))
    await house.restart_api()
    (mower,) = (await house.ask("GET", "/mowers")).body["items"]
    assert mower["activity"] == "docked"


async def test_without_telemetry_the_streams_last_report_is_shown(house: ApiHouse) -> None:
    await house.telemetry.stop()
    await house.tell_state(house.state(activity=Activity.PAUSED))
    await house.api.stop()
    house.api = house.make_api(house.bus)
    await house.api.start()
    (mower,) = (await house.ask("GET", "/mowers")).body["items"]
    assert mower["activity"] == "paused"


async def test_a_mower_is_changed(house: ApiHouse) -> None:
    answer = await house.ask("PATCH", f"/mowers/{house.mower_id}", {"name": "Rasputin", "obey_rain": False})
    assert (answer.status, answer.body["name"], answer.body["obey_rain"]) == (200, "Rasputin", False)
    answer = await house.ask("PATCH", f"/mowers/{house.mower_id}/areas/a1", {"enabled": False, "name": "Vorgarten"})
    area = {"id": "a1", "name": "Vorgarten", "enabled": False, "size_m2": 120.0}
    assert (answer.status, answer.body["areas"][0]) == (200, area)
    assert (await house.ask("PATCH", f"/mowers/{house.mower_id}", {})).body["name"] == "Rasputin"


@pytest.mark.parametrize(
    ("path", "body", "status", "field"),
    [
        ("/mowers/nobody", {"name": "x"}, 404, "mower_id"),
        ("/mowers/no%20id", {"name": "x"}, 404, "mower_id"),
        ("/mowers/{mower}", {"name": ""}, 422, "name"),
        ("/mowers/{mower}", {"name": "  "}, 422, "name"),
        ("/mowers/{mower}", {"site_id": "nowhere"}, 422, "site_id"),
        ("/mowers/{mower}", {"colour": "red"}, 422, "colour"),
        ("/mowers/{mower}/areas/gone", {"enabled": True}, 404, "area_id"),
        ("/mowers/{mower}/areas/a1", {"enabled": 1}, 422, "enabled"),
    ],
)
async def test_what_is_wrong_with_a_change_is_named(
    house: ApiHouse, path: str, body: dict[str, Any], status: int, field: str
) -> None:
    answer = await house.ask("PATCH", path.replace("{mower}", house.mower_id), body)
    assert (answer.status, answer.error["field"]) == (status, field)


async def test_the_map_is_null_until_it_is_known(house: ApiHouse) -> None:
    assert (await house.ask("GET", f"/mowers/{house.mower_id}/map")).body == {"map": None}
    house.gateway.map = MowerMap(
        mower_id=house.mower_id, account_id="home", observed_at=house.clock.now(), complete=True, dock=(0.0, 1.5)
    )
    answer = await house.ask("GET", f"/mowers/{house.mower_id}/map")
    assert (answer.status, answer.body["map"]["dock"], answer.body["map"]["complete"]) == (200, [0.0, 1.5], True)


async def test_settings_are_listed_and_ordered(house: ApiHouse) -> None:
    answer = await house.ask("GET", f"/mowers/{house.mower_id}/settings")
    assert (answer.body["items"][0]["key"], answer.body["next"]) == ("blade_height_mm", None)
    answer = await house.ask("PUT", f"/mowers/{house.mower_id}/settings/blade_height_mm", {"value": 40})
    assert answer.status == 202
    assert answer.body["body"] == {"kind": "put_setting", "setting_key": "blade_height_mm", "setting_value": 40}
    (order,) = await house.fleet.until_heard(1)
    assert (order.body.setting_key, order.body.setting_value) == ("blade_height_mm", 40)
    for body in ({}, {"value": None}, {"value": [1]}):
        answer = await house.ask("PUT", f"/mowers/{house.mower_id}/settings/blade_height_mm", body)
        assert (answer.status, answer.error["field"]) == (422, "value")


async def test_an_order_is_taken_followed_and_never_doubled(house: ApiHouse) -> None:
    path = f"/mowers/{house.mower_id}/commands"
    order = {"kind": "start_mow", "mode": "new", "area_ids": ["a1"], "pattern": {"angle": 30}}
    first = await house.ask("POST", path, order, key="k1", headers={"X-MowDeck-Origin": "dashboard"})
    assert (first.status, first.body["status"], first.body["origin"]) == (202, "accepted", "dashboard")
    again = await house.ask("POST", path, order, key="k1", headers={"X-MowDeck-Origin": "dashboard"})
    assert (again.status, again.body) == (202, first.body)
    other = await house.ask("POST", path, {"kind": "pause"}, key="k1", headers={"X-MowDeck-Origin": "dashboard"})
    assert (other.status, other.error["code"]) == (409, "key_reused")

    command = await house.fleet.command(first.body["id"])
    await house.fleet.tell_outcome(command, CommandStatus.CONFIRMED, "already_mowing")
    await house.fleet.until_status(command.id, CommandStatus.CONFIRMED)
    followed = await house.ask("GET", f"/commands/{command.id}")
    assert (followed.status, followed.body["status"], followed.body["reason"]) == (200, "confirmed", "already_mowing")
    await house.fleet.until_heard(1)
    await house.fleet.nothing_more_is_ordered()
    assert len(house.fleet.orders) == 1


@pytest.mark.parametrize(
    ("body", "status", "field"),
    [
        ({"kind": "dance"}, 422, "kind"),
        ({}, 422, "kind"),
        ({"kind": "put_setting"}, 422, "kind"),
        ({"kind": "pause", "mode": "new"}, 422, "mode"),
        ({"kind": "start_mow", "mode": "later"}, 422, "mode"),
        ({"kind": "start_mow", "area_ids": "a1"}, 422, "area_ids"),
        ({"kind": "start_mow", "area_ids": ["gone"]}, 422, "area_ids"),
        ({"kind": "start_mow", "area_ids": []}, 422, "area_ids"),
        ({"kind": "start_mow", "speed": 3}, 422, "speed"),
    ],
)
async def test_what_is_wrong_with_an_order_is_named(
    house: ApiHouse, body: dict[str, Any], status: int, field: str
) -> None:
    answer = await house.ask("POST", f"/mowers/{house.mower_id}/commands", body, key="k")
    assert (answer.status, answer.error["field"]) == (status, field)


async def test_a_mower_out_of_reach_takes_no_orders(house: ApiHouse) -> None:
    await house.fleet.tell_availability(house.mower_id, available=False, reason="link_lost")

    async def lost() -> bool:
        return not (await house.ask("GET", f"/mowers/{house.mower_id}")).body["available"]

    await eventually(lost)
    answer = await house.ask("POST", f"/mowers/{house.mower_id}/commands", {"kind": "pause"}, key="k")
    assert (answer.status, answer.error["code"]) == (503, "unavailable")
    assert answer.error["values"] == {"reason": "link_lost"}
    assert answer.error["remedy"]


async def test_orders_to_nobody_and_commands_of_nobody(house: ApiHouse) -> None:
    answer = await house.ask("POST", "/mowers/nobody/commands", {"kind": "pause"}, key="k")
    assert (answer.status, answer.error["code"]) == (404, "not_found")
    answer = await house.ask("GET", "/commands/nobody")
    assert (answer.status, answer.error["field"]) == (404, "command_id")


async def test_history_and_positions_come_in_pages(house: ApiHouse) -> None:
    moments = [await house.tell_state(house.state(seconds, battery_percent=70 - seconds)) for seconds in range(5)]
    since = (moments[0] - timedelta(seconds=1)).isoformat().replace("+00:00", "Z")
    until = (moments[-1] + timedelta(seconds=1)).isoformat().replace("+00:00", "Z")
    for noun in ("history", "positions"):
        path = f"/mowers/{house.mower_id}/{noun}?since={since}&until={until}&limit=2"

        async def stored(path: str = path) -> bool:
            return len((await house.ask("GET", path.replace("limit=2", "limit=9"))).body["items"]) == 5

        await eventually(stored)
        page = (await house.ask("GET", path)).body
        seen = page["items"]
        for _ in range(2):
            page = (await house.ask("GET", f"{path}&cursor={page['next']}")).body
            seen += page["items"]
        assert page["next"] is None
        assert [row["observed_at"] for row in seen] == [m.isoformat().replace("+00:00", "Z") for m in moments]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("since=yesterday", "since"),
        ("since=2026-05-02T00:00:00Z&until=2026-05-01T00:00:00Z", "since"),
        ("until=0001-01-01T00:00:00%2B14:00", "until"),
        ("limit=0", "limit"),
        ("limit=9999", "limit"),
        ("limit=2&limit=3", "limit"),
        ("cursor=next", "cursor"),
        ("colour=red", "colour"),
    ],
)
async def test_what_is_wrong_with_a_question_is_named(house: ApiHouse, query: str, field: str) -> None:
    answer = await house.ask("GET", f"/mowers/{house.mower_id}/history?{query}")
    assert (answer.status, answer.error["field"]) == (422, field)


async def test_the_history_of_nobody(house: ApiHouse) -> None:
    answer = await house.ask("GET", "/mowers/nobody/history")
    assert (answer.status, answer.error["code"]) == (404, "not_found")
