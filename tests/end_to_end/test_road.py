"""From a press in Home Assistant to the mower's protobuf, and from the mower's report to the database.

Both versions of Home Assistant; every process is real but the vendor's cloud and the mower, which are emulated.
"""

from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import pytest

from tests.end_to_end.road import Road
from tests.end_to_end.subentries import Subentries
from tests.eventually import eventually

pytestmark = pytest.mark.timeout(300)

_BUSY_MODES = {13, 14, 19}
"""WORKING, RETURNING and PAUSE in the vendor's words."""


async def test_a_press_reaches_the_mower_and_a_plan_mows_the_lawn(road: Road) -> None:
    begin = datetime.now(UTC)
    flow = await road.add_integration()
    assert flow["type"] == "create_entry"
    home_assistant = road.home_assistant
    await home_assistant.wait_for_state(road.entity_id, "docked")

    await home_assistant.act("lawn_mower.start_mowing", entity_id=road.entity_id)
    assert len(await road.cloud.starts()) == 1
    await home_assistant.wait_for_state(road.entity_id, "mowing")

    await home_assistant.act("lawn_mower.dock", entity_id=road.entity_id)
    await home_assistant.wait_for_state(road.entity_id, "docked", timeout_seconds=60)

    schedule_id, due = await road.make_schedule()
    run = await road.run_with(schedule_id, "confirmed_at", seconds=100)
    assert (run["outcome"], run["final"], run["mower_id"]) == ("started", True, road.mower_id)
    assert datetime.fromisoformat(run["occurrence_at"]) == due
    # The gateway was told who lives there: the plan is that of the person who made it.
    assert run["owner"].startswith("user:")
    assert run["owner"] != "user:owner"
    await home_assistant.wait_for_state(road.entity_id, "mowing")
    assert len(await road.cloud.starts()) == 2

    run = await road.run_with(schedule_id, "ended_at", seconds=120)
    assert run["end_reason"] == "completed"
    await home_assistant.wait_for_state(road.entity_id, "docked", timeout_seconds=60)
    assert len(await road.runs(schedule_id)) == 1
    # The cloud has no newer firmware for it.
    await home_assistant.wait_for_state(road.entity_id.replace("lawn_mower.", "update.") + "_firmware", "off")
    await check_schedule_entities(road, schedule_id, due)
    await check_positions(road, begin)
    await set_up_again(road, Subentries(home_assistant, flow["result"]["entry_id"]))


async def set_up_again(road: Road, subentries: Subentries) -> None:
    """Make a group, and give the gateway its login again, all in Home Assistant; what is deleted there is gone."""
    group = await subentries.add("group", {"name": "Everything", "mowers": [road.mower_id]})
    assert group["type"] == "create_entry"
    assert [each["name"] for each in (await road.gateway.request("GET", "/groups"))["items"]] == ["Everything"]
    username = road.cloud.username
    await subentries.wait_for("vendor_account", {username})
    await subentries.remove("group", "Everything")
    await subentries.remove("vendor_account", username)

    async def gone() -> bool:
        lists = [(await road.gateway.request("GET", path))["items"] for path in ("/groups", "/vendor-accounts")]
        return lists == [[], []]

    await eventually(gone, seconds=30)
    refused = await subentries.add("vendor_account", {"username": username, "password": "not the one"})
    assert refused["errors"] == {"password": "login_refused"}
    added = await subentries.add("vendor_account", {"username": username, "password": road.cloud.password})
    assert (added["type"], added["title"]) == ("create_entry", username)
    await subentries.wait_for("vendor_account", {username})

    async def back() -> bool:
        return bool((await road.gateway.request("GET", f"/mowers/{road.mower_id}"))["available"])

    await eventually(back, seconds=60)
    await road.home_assistant.wait_for_state(road.entity_id, "docked", timeout_seconds=60)
    # And what is deleted at the gateway goes here, because an event tells of it.
    (login,) = (await road.gateway.request("GET", "/vendor-accounts"))["items"]
    await road.gateway.request("DELETE", f"/vendor-accounts/{login['id']}")
    await subentries.wait_for("vendor_account", set())


async def check_schedule_entities(road: Road, schedule_id: str, due: datetime) -> None:
    """See that the schedule's entities show what came of the run, and the next one a week later on the wall clock."""
    entity_ids = {each["unique_id"]: each["entity_id"] for each in await road.registry()}
    await road.home_assistant.wait_for_state(entity_ids[f"{schedule_id}_last_outcome"], "started")
    next_run = await road.home_assistant.state(entity_ids[f"{schedule_id}_next_run"])
    ahead = datetime.fromisoformat(next_run["state"]) - due
    assert timedelta(days=7) - timedelta(hours=1) <= ahead <= timedelta(days=7) + timedelta(hours=1)


async def check_positions(road: Road, since: datetime, *, away: tuple[float, float] | None = None) -> None:
    """See that every position that the busy mower reported is in the database, each once and in order.

    `away` are the Unix times between which nobody was there to listen.
    """
    reports = await road.cloud.reports()
    # On the charger it is docked, whatever the mode still says.
    busy = [each for each in reports if each["mode"] in _BUSY_MODES and not each["charge_state"]]
    reported = _distinct([_Seen(each["at"], *_place(each)) for each in busy])

    async def stored() -> list[dict[str, Any]] | None:
        rows = await road.positions(since)
        return rows if _missing(rows, reported, away) == [] else None

    try:
        rows = await eventually(stored, seconds=15)
    except TimeoutError:
        assert _missing(await road.positions(since), reported, away) == []
        raise
    moments = [row["observed_at"] for row in rows]
    assert moments == sorted(set(moments))
    assert len(reported) > 10


class _Seen(NamedTuple):
    at: float
    latitude: float
    longitude: float

    def near(self, place: tuple[float, float]) -> bool:
        return abs(self.latitude - place[0]) < 5e-6 and abs(self.longitude - place[1]) < 5e-6


def _place(row: dict[str, Any]) -> tuple[float, float]:
    return row["latitude"], row["longitude"]


def _distinct(reported: list[_Seen]) -> list[_Seen]:
    """Return the reports without those that name the same place as the one before."""
    return [each for number, each in enumerate(reported) if number == 0 or not reported[number - 1].near(each[1:])]


def _missing(rows: list[dict[str, Any]], reported: list[_Seen], away: tuple[float, float] | None) -> list[_Seen]:
    """Return the reported places that are not stored, in their order, and were not reported while nobody listened."""
    stored = [_place(row) for row in rows]
    begin = 0
    missing = []
    for each in reported:
        found = next((number for number in range(begin, len(stored)) if each.near(stored[number])), None)
        if found is not None:
            begin = found
        elif away is None or not away[0] <= each.at <= away[1]:
            missing.append(each)
    return missing
