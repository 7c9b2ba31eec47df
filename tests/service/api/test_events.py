"""The events: a snapshot, then every change once and in order, also after a drop."""

import asyncio
from typing import Any

import aiohttp
import msgspec
import pytest

from edge_gateway.contracts import subjects
from edge_gateway.contracts.commands import CommandStatus
from edge_gateway.contracts.fleet import MowerChanged
from edge_gateway.contracts.mower import Activity
from edge_gateway.contracts.schedules import ScheduleDisabled
from tests.eventually import eventually
from tests.service.api.house import HEADERS, ApiHouse
from tests.service.api.listening import content, listening, publish
from tests.service.api.test_schedules import create


async def test_hello_then_everything(house: ApiHouse) -> None:
    schedule = await create(house)
    group = (await house.ask("POST", "/groups", {"name": "All", "mower_ids": [house.mower_id]})).body
    await eventually(lambda: _told(house, "schedules"))
    await eventually(lambda: _told(house, "groups"))
    async with listening(house) as listener:
        hello, snapshot = await listener.greeting()
    assert hello["info"]["gateway_id"] == "01JDGATEWAY"
    services = ("fleet", "scheduler", "telemetry", "notifications", "device_gateway")
    assert hello["info"]["services"] == dict.fromkeys(services, True)
    assert snapshot is not None
    assert snapshot["mowers"] == (await house.ask("GET", "/mowers")).body["items"]
    assert snapshot["sites"] == (await house.ask("GET", "/sites")).body["items"]
    assert snapshot["schedules"] == [schedule]
    assert snapshot["groups"] == [group]


async def test_every_kind_of_change_is_told(house: ApiHouse) -> None:
    async with listening(house) as listener:
        await listener.greeting()
        observed_at = await house.tell_state(house.state(activity=Activity.MOWING))
        change = await listener.until("mower")
        assert change["id"] == f"{house.mower_id}:{observed_at.isoformat(timespec='microseconds')[:-6]}Z"
        assert content(change)["mower"] == (await house.ask("GET", f"/mowers/{house.mower_id}")).body
        assert content(change)["mower"]["activity"] == "mowing"

        await house.fleet.tell_availability(house.mower_id, available=False, reason="link_lost")
        mower = content(await listener.until("mower"))["mower"]
        assert (mower["available"], mower["unavailable_reason"], mower["activity"]) == (False, "link_lost", "mowing")

        await house.ask("PATCH", f"/mowers/{house.mower_id}", {"name": "Rasputin"})
        assert content(await listener.until("mower"))["mower"]["name"] == "Rasputin"

        await house.ask("PATCH", "/sites/home", {"name": "Garden"})
        assert content(await listener.until("site"))["site"]["name"] == "Garden"
        made = (await house.ask("POST", "/sites", {"name": "x", "time_zone": "UTC"})).body
        assert content(await listener.until("site"))["site"] == made
        await house.ask("DELETE", f"/sites/{made['id']}")
        assert content(await listener.until("site_removed")) == {"site_removed": made["id"]}

        group = (await house.ask("POST", "/groups", {"name": "All", "mower_ids": [house.mower_id]})).body
        assert content(await listener.until("group"))["group"] == group
        group = (await house.ask("PATCH", f"/groups/{group['id']}", {"max_concurrent": 1})).body
        assert content(await listener.until("group"))["group"] == group
        await house.ask("DELETE", f"/groups/{group['id']}")
        assert content(await listener.until("group_removed")) == {"group_removed": group["id"]}

        schedule = await create(house)
        assert content(await listener.until("schedule"))["schedule"] == schedule
        run = house.scheduler.make_run(schedule["id"])
        await house.scheduler.tell_run(run)
        change = await listener.until("run")
        assert (change["id"], content(change)["run"]["id"]) == (f"{run.id}:1", run.id)
        await house.ask("DELETE", f"/schedules/{schedule['id']}")
        assert content(await listener.until("schedule_removed")) == {"schedule_removed": schedule["id"]}


async def test_a_command_is_told_as_it_is_after_the_outcome(house: ApiHouse) -> None:
    command = (await house.fleet.issue()).command
    async with listening(house) as listener:
        await listener.greeting()
        for status in (CommandStatus.SENT, CommandStatus.ACKNOWLEDGED, CommandStatus.CONFIRMED):
            await house.fleet.tell_outcome(command, status, "because")
            told = content(await listener.until("command"))["command"]
            assert (told["id"], told["status"], told["reason"]) == (command.id, status.value, "because")


async def test_any_other_event_is_handed_on(house: ApiHouse) -> None:
    async with listening(house) as listener:
        await listener.greeting()
        disabled = ScheduleDisabled(schedule_id="s1", reason="permission")
        await publish(house, subjects.SCHEDULE_DISABLED, disabled, "s1")
        change = await listener.until("event")
        event = content(change)["event"]
        assert (event["type"], event["subject_id"]) == (subjects.SCHEDULE_DISABLED, "s1")
        assert event["payload"] == {"schedule_id": "s1", "reason": "permission"}
        await house.fleet.tell_map(house.mower_id)
        event = content(await listener.until("event"))["event"]
        assert (event["type"], event["payload"]) == (subjects.MAP_TYPE, {"mower_id": house.mower_id})


async def test_a_mower_that_is_found_later_is_told(house: ApiHouse) -> None:
    async with listening(house) as listener:
        await listener.greeting()
        mower_id = await house.fleet.add_mower("sim-2")
        seen = content(await listener.until("mower"))["mower"]
        assert (seen["id"], seen["name"]) == (mower_id, "Mower sim-2")
        await publish(house, subjects.MOWER_CHANGED, MowerChanged(mower_id=mower_id, removed=True), mower_id)
        assert content(await listener.until("mower_removed")) == {"mower_removed": mower_id}


async def test_each_change_once_and_in_order_also_when_it_is_sent_twice(house: ApiHouse) -> None:
    states = [house.state(second / 10, battery_percent=50 + second) for second in range(30)]
    async with listening(house) as one, listening(house) as other:
        await one.greeting()
        await other.greeting()
        for state in states:
            await house.tell_state(state)
            await house.tell_state(state)
        for listener in (one, other):
            told = [content(await listener.next())["mower"]["battery_percent"] for _ in states]
            assert told == list(range(50, 80))


async def test_a_late_report_is_no_change(house: ApiHouse) -> None:
    async with listening(house) as listener:
        await listener.greeting()
        await house.tell_state(house.state(5, battery_percent=50))
        await house.tell_state(house.state(4, battery_percent=99))
        await house.tell_state(house.state(3, battery_percent=98, backfill=True))
        await house.tell_state(house.state(6, battery_percent=49))
        told = [content(await listener.next())["mower"]["battery_percent"] for _ in range(2)]
        assert told == [50, 49]


async def test_a_reader_that_comes_back_gets_what_it_missed_and_no_snapshot(house: ApiHouse) -> None:
    async with listening(house) as listener:
        await listener.greeting()
        await house.tell_state(house.state(0, battery_percent=51))
        seen = await listener.next()
    for second in range(1, 6):
        await house.tell_state(house.state(second, battery_percent=51 + second))
    async with listening(house, seen["cursor"]) as listener:
        hello, snapshot = await listener.greeting()
        assert (hello["resumed"], snapshot) == (True, None)
        missed = [await listener.next() for _ in range(5)]
        assert [content(change)["mower"]["battery_percent"] for change in missed] == [52, 53, 54, 55, 56]
        await house.tell_state(house.state(7, battery_percent=77))
        assert content(await listener.next())["mower"]["battery_percent"] == 77
    async with listening(house, missed[2]["cursor"]) as listener:
        await listener.greeting()
        again = [await listener.next() for _ in range(2)]
        assert again == missed[3:]


async def test_the_snapshots_cursor_leads_on_as_well(house: ApiHouse) -> None:
    async with listening(house) as listener:
        _, snapshot = await listener.greeting()
    assert snapshot is not None
    await house.tell_state(house.state(battery_percent=55))
    async with listening(house, snapshot["cursor"]) as listener:
        assert (await listener.greeting())[0]["resumed"]
        assert content(await listener.next())["mower"]["battery_percent"] == 55


@pytest.mark.parametrize("cursor", ["x", "01JDAAAAAAAAAAAAAAAAAAAAAA-5", "-1", "a" * 200])
async def test_an_unknown_cursor_gets_a_fresh_snapshot(house: ApiHouse, cursor: str) -> None:
    async with listening(house, cursor) as listener:
        hello, snapshot = await listener.greeting()
    assert not hello["resumed"]
    assert snapshot is not None
    assert len(snapshot["mowers"]) == 1


async def test_a_cursor_of_before_the_restart_gets_a_fresh_snapshot(house: ApiHouse) -> None:
    async with listening(house) as listener:
        _, snapshot = await listener.greeting()
    assert snapshot is not None
    await house.restart_api()
    async with listening(house, snapshot["cursor"]) as listener:
        hello, fresh = await listener.greeting()
    assert not hello["resumed"]
    assert fresh is not None
    assert fresh["cursor"] != snapshot["cursor"]


async def test_readers_say_nothing(house: ApiHouse) -> None:
    for say in ("text", b"bytes"):
        async with listening(house) as listener:
            await listener.greeting()
            await (listener.socket.send_str(say) if isinstance(say, str) else listener.socket.send_bytes(say))
            assert await listener.closing() == aiohttp.WSCloseCode.POLICY_VIOLATION


async def test_pings_are_answered(house: ApiHouse) -> None:
    session = house.session
    async with session.ws_connect(f"{house.url}/api/v1/events", headers=HEADERS, autoping=False) as socket:
        await socket.ping(b"alive?")
        async with asyncio.timeout(5):
            while (message := await socket.receive()).type is not aiohttp.WSMsgType.PONG:
                pass
        assert message.data == b"alive?"


@pytest.mark.parametrize(
    ("headers", "query", "status", "code"),
    [
        ({"Authorization": "Bearer wrong"}, "", 401, "token_wrong"),
        ({"X-MowDeck-Principal": "user:stranger"}, "", 403, "unknown_principal"),
        ({"X-MowDeck-Principal": "service:x"}, "", 403, "forbidden"),
        ({"X-MowDeck-API": "9"}, "", 400, "api_version_unsupported"),
        ({}, "?since=1", 422, "invalid"),
    ],
)
async def test_who_may_not_read_is_told_why_before_the_upgrade(
    house: ApiHouse, headers: dict[str, str], query: str, status: int, code: str
) -> None:
    with pytest.raises(aiohttp.WSServerHandshakeError) as raised:
        await house.session.ws_connect(f"{house.url}/api/v1/events{query}", headers=HEADERS | headers)
    assert raised.value.status == status
    plain = await house.ask("GET", f"/events{query}", headers=headers)
    assert (plain.status, plain.error["code"]) == (status, code)


async def test_a_request_without_an_upgrade_is_told_so(house: ApiHouse) -> None:
    answer = await house.ask("GET", "/events")
    assert (answer.status, answer.error["code"]) == (400, "websocket_needed")


async def test_mowers_of_a_gateway_that_fell_silent_are_out_of_reach_and_come_back(house: ApiHouse) -> None:
    async with listening(house) as listener:
        await listener.greeting()
        await house.gateway.stop()
        mower = content(await listener.until("mower"))["mower"]
        assert (mower["available"], mower["unavailable_reason"]) == (False, "gateway_stopped")
        (listed,) = (await house.ask("GET", "/mowers")).body["items"]
        assert listed == mower
        await house.gateway.start()
        assert content(await listener.until("mower"))["mower"]["available"]


async def test_a_scheduler_that_is_away_delays_only_what_needs_it(house: ApiHouse) -> None:
    schedule = await create(house)
    async with listening(house) as listener:
        await listener.greeting()
        await house.scheduler.stop()
        changed = msgspec.structs.replace(house.scheduler.schedules[schedule["id"]], name="Back")
        house.scheduler.schedules[schedule["id"]] = changed
        await house.scheduler.tell_changed(schedule["id"])
        await house.tell_state(house.state(battery_percent=55))
        assert content(await listener.until("mower"))["mower"]["battery_percent"] == 55
        await house.scheduler.start()
        assert content(await listener.until("schedule"))["schedule"]["name"] == "Back"


async def _told(house: ApiHouse, what: str) -> list[Any]:
    async with listening(house) as listener:
        _, snapshot = await listener.greeting()
    assert snapshot is not None
    told: list[Any] = snapshot[what]
    return told
