"""What is wrong now, and where mowers belong, through the API."""

import asyncio

from edge_gateway.contracts import routes
from edge_gateway.contracts.bridges import (
    Bridge,
    BridgeCode,
    BridgeFinding,
    BridgeFindingsReply,
    BridgeHealth,
    BridgeRequest,
)
from edge_gateway.contracts.fleet import Asking
from edge_gateway.contracts.mower import Activity, Problem
from edge_gateway.contracts.notifications import Severity
from edge_gateway.device_gateway.change_teller import ChangeTeller
from tests.eventually import eventually
from tests.service.api.house import Answer, ApiHouse
from tests.service.api.listening import content, listening

LIFTED = Problem(code="lifted", vendor_code="2801")
SQUARE = [
    {"latitude": 52.4999, "longitude": 13.3999},
    {"latitude": 52.4999, "longitude": 13.4001},
    {"latitude": 52.5001, "longitude": 13.4001},
    {"latitude": 52.5001, "longitude": 13.3999},
]


async def test_an_error_is_told_to_readers_once_and_is_a_finding_while_it_lasts(house: ApiHouse) -> None:
    assert (await house.ask("GET", "/findings")).body == {"items": [], "next": None}
    async with listening(house) as listener:
        await listener.greeting()
        began_at = await house.tell_state(house.state(activity=Activity.ERROR, problem=LIFTED))
        await house.tell_state(house.state(1, activity=Activity.ERROR, problem=LIFTED))
        event = content(await listener.until("event"))["event"]
        while event["type"] != "notifications.event":
            event = content(await listener.until("event"))["event"]
        told = event["payload"]
        assert (told["code"], told["phase"], told["severity"]) == ("error", "began", "warning")
        assert (told["mower_id"], told["values"]["problem_code"]) == (house.mower_id, "lifted")

    (finding,) = (await house.ask("GET", "/findings")).body["items"]
    assert finding["id"] == told["finding_id"]
    assert (finding["code"], finding["detail"]) == ("error", "The mower was lifted.")
    assert finding["remedy"]
    assert (finding["mower_id"], finding["service"]) == (house.mower_id, None)
    assert finding["began_at"][:19] == began_at.isoformat()[:19]

    await house.tell_state(house.state(2, activity=Activity.IDLE))
    await house.tell_state(house.state(40, activity=Activity.IDLE))

    async def over() -> bool:
        return not (await house.ask("GET", "/findings")).body["items"]

    await eventually(over)


async def test_a_service_that_cannot_work_is_a_finding(house: ApiHouse) -> None:
    await house.gateway.stop()
    (finding,) = (await house.ask("GET", "/findings")).body["items"]

    assert (finding["code"], finding["service"], finding["mower_id"]) == ("service_not_ready", "device_gateway", None)
    assert "device_gateway" in finding["detail"]
    assert finding["remedy"]


async def test_whatever_is_wrong_with_a_bridge_is_a_finding_with_what_to_do(house: ApiHouse) -> None:
    wrong = tuple(
        BridgeFinding(
            id=f"bridge-1:{code}",
            bridge_id="bridge-1",
            bridge_name="Shed",
            code=code,
            severity=Severity.WARNING,
            began_at=house.clock.now(),
            values={"version": "2026.8.0", "slots": 3, "wifi_dbm": -81.0},
        )
        for code in BridgeCode
    )

    async def answer(_: Asking) -> BridgeFindingsReply:
        return BridgeFindingsReply(items=wrong)

    await house.bus.reply(routes.BRIDGES_FINDINGS, answer)
    items = (await house.ask("GET", "/findings")).body["items"]
    assert [item["code"] for item in items] == list(BridgeCode)
    for item in items:
        assert (item["bridge_id"], item["bridge_name"], item["mower_id"]) == ("bridge-1", "Shed", None)
        assert "Shed" in item["detail"]
        assert item["remedy"]
    assert "All 3 connections" in next(item["detail"] for item in items if item["code"] == "bridge_no_slots")


async def test_a_change_of_a_bridge_is_told_to_readers_who_then_ask(house: ApiHouse) -> None:
    async def answer(question: BridgeRequest) -> BridgeHealth:
        bridge = Bridge(
            id=question.bridge_id,
            account_id="home",
            name="Shed",
            host="192.168.1.50",
            port=6053,
            encrypted=True,
            created_at=house.clock.now(),
        )
        return BridgeHealth(bridge=bridge, findings=())

    await house.bus.reply(routes.BRIDGES_HEALTH, answer)
    async with listening(house) as listener:
        await listener.greeting()
        await ChangeTeller(house.bus, house.clock).bridge("bridge-1", "home")
        told = content(await listener.until("event"))["event"]
    assert (told["type"], told["subject_id"]) == ("device.bridge.changed", "bridge-1")
    assert told["payload"] == {"bridge_id": "bridge-1", "removed": False}
    shown = (await house.ask("GET", f"/bridges/{told['subject_id']}")).body
    assert (shown["name"], shown["status"], "key" in shown) == ("Shed", "connecting", False)


async def test_silent_notifications_are_a_finding_themselves(house: ApiHouse) -> None:
    await house.notifications.stop()
    (finding,) = (await house.ask("GET", "/findings")).body["items"]
    assert (finding["code"], finding["service"]) == ("service_not_ready", "notifications")

    stranger = await house.ask("GET", "/findings", headers={"X-MowDeck-Principal": "user:stranger"})
    assert (stranger.status, stranger.error["code"]) == (403, "unknown_principal")


async def test_a_stranger_hears_nothing(house: ApiHouse) -> None:
    stranger = await house.ask("GET", "/findings", headers={"X-MowDeck-Principal": "user:stranger"})
    assert (stranger.status, stranger.error["code"]) == (403, "unknown_principal")


async def test_a_geofence_is_drawn_read_and_removed(house: ApiHouse) -> None:
    for path in (f"/mowers/{house.mower_id}/geofence", "/sites/home/geofence"):
        assert (await house.ask("GET", path)).body == {"boundary": None, "margin_metres": 0.0}
        drawn = {"boundary": SQUARE, "margin_metres": 5.0}
        assert await house.ask("PUT", path, drawn) == Answer(200, drawn)
        assert (await house.ask("GET", path)).body == drawn
        assert (await house.ask("DELETE", path)).status == 204
        assert (await house.ask("GET", path)).body["boundary"] is None


async def test_a_mower_carried_out_of_its_geofence_raises_the_alarm(house: ApiHouse) -> None:
    await house.ask("PUT", f"/mowers/{house.mower_id}/geofence", {"boundary": SQUARE})
    stolen = house.state(activity=Activity.IDLE).position
    assert stolen is not None
    await house.tell_state(house.state(-30, activity=Activity.IDLE))
    outside = type(stolen)(latitude=52.51, longitude=13.4)
    await house.tell_state(house.state(-20, activity=Activity.IDLE, position=outside))
    await house.tell_state(house.state(-5, activity=Activity.IDLE, position=outside))

    async def alarmed() -> bool:
        items = (await house.ask("GET", "/findings")).body["items"]
        return [(item["code"], item["severity"]) for item in items] == [("left_geofence", "alarm")]

    await eventually(alarmed)


async def test_a_wrong_geofence_names_its_field(house: ApiHouse) -> None:
    path = f"/mowers/{house.mower_id}/geofence"
    answers = await asyncio.gather(
        house.ask("PUT", path, {"boundary": SQUARE[:2]}),
        house.ask("PUT", path, {"boundary": [*SQUARE, {"latitude": 91, "longitude": 0}]}),
        house.ask("PUT", path, {"boundary": SQUARE, "margin_metres": -1}),
        # Closed by its writer, it has two corners.
        house.ask("PUT", path, {"boundary": [SQUARE[0], SQUARE[1], SQUARE[0]]}),
    )
    assert [(answer.status, answer.error["field"].partition("[")[0]) for answer in answers] == [
        (422, "boundary"),
        (422, "boundary"),
        (422, "margin_metres"),
        (422, "boundary"),
    ]
    assert (await house.ask("PUT", "/mowers/nobody/geofence", {"boundary": SQUARE})).status == 404
    assert (await house.ask("PUT", "/sites/nowhere/geofence", {"boundary": SQUARE})).status == 404
