"""`/api/v1/bluetooth` as Home Assistant meets it: who may come, what may be said, and how it ends; over a real bus."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import msgspec
import pytest
from aiohttp import WSCloseCode, WSMsgType, web

from edge_gateway.api.asking import Services
from edge_gateway.api.http import answer_errors
from edge_gateway.api.lending import socket as lending_socket
from edge_gateway.api.lending.socket import LendingSocket
from edge_gateway.api.server import HttpServer
from edge_gateway.bus.jetstream import JetStreamBus
from edge_gateway.contracts import routes
from edge_gateway.contracts.bluetooth_lending import Advertisement, Hello
from edge_gateway.contracts.bluetooth_relay import CollectLentRequest, HearLentRequest, OpenLendingRequest
from edge_gateway.contracts.errors import NotFoundError
from edge_gateway.contracts.mower import LinkKind
from edge_gateway.device_gateway.bridges.settings import BridgesSettings
from edge_gateway.device_gateway.lent_bluetooth import lending_desk, lent_bluetooth
from edge_gateway.device_gateway.lent_bluetooth.errors import NotConnectedError
from edge_gateway.device_gateway.lent_bluetooth.lending_desk import LendingDesk
from edge_gateway.device_gateway.lent_bluetooth.lent_bluetooth import LentBluetooth
from edge_gateway.device_gateway.radio import Radio
from tests.eventually import eventually
from tests.service.device_gateway.vendor_accounts.office import GUEST, OWNER, answer_for_the_fleet

TOKEN = "the-token-of-a-test"  # noqa: S105  # opens one test's server
NAME = "Luba-VPEMU0001"
SCANNER = {"source": "AA", "name": "Shed", "connectable": True, "slots": 3, "free_slots": 2}
HELLO = {"type": "hello", "instance_id": "home", "scanners": [SCANNER]}
ADVERT = {"type": "advert", "source": "AA", "address": "C0", "name": NAME, "signal_dbm": -60, "age_ms": 0}
WAIT_SECONDS = 20.0


class Door:
    """The door, and the room behind it."""

    def __init__(self, bus: JetStreamBus) -> None:
        """Open nothing yet."""
        settings = BridgesSettings(connect_seconds=1, write_seconds=1)
        self.radio = Radio()
        self.room = LentBluetooth(self.radio, settings)
        self.desk = LendingDesk(self.room, bus=bus, instance_id="one")
        self.socket = LendingSocket(Services(bus, timeout_seconds=5), token=TOKEN)
        application = web.Application(middlewares=[answer_errors])
        application.router.add_get("/api/v1/bluetooth", self.socket.handle)
        self.server = HttpServer(application, host="127.0.0.1", port=0)
        self.client = aiohttp.ClientSession()
        self.url = ""

    @asynccontextmanager
    async def dial(self, *said: dict[str, Any]) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
        """Dial and say this."""
        headers = {"Authorization": f"Bearer {TOKEN}", "X-MowDeck-Principal": OWNER, "X-MowDeck-API": "1"}
        async with self.client.ws_connect(self.url, headers=headers) as socket:
            for message in said:
                await socket.send_json(message)
            yield socket

    async def heard(self, count: int) -> bool:
        """Tell whether a mower is heard over so many scanners."""
        return len(self.room.paths(NAME)) == count


@pytest.fixture
async def door(bus: JetStreamBus) -> AsyncIterator[Door]:
    """Return the door, open, with one mower that may be carried."""
    await answer_for_the_fleet(bus)
    door = Door(bus)
    await door.desk.start()
    door.room.wish(NAME, frozenset({LinkKind.HOME_ASSISTANT}))
    door.url = f"http://127.0.0.1:{await door.server.start()}/api/v1/bluetooth"
    yield door
    await door.client.close()
    door.socket.stop()
    await door.server.stop()
    await door.desk.stop()
    door.radio.stop()


async def told(socket: aiohttp.ClientWebSocketResponse) -> dict[str, Any]:
    """Return the next message."""
    message: dict[str, Any] = await socket.receive_json(timeout=WAIT_SECONDS)
    return message


async def end(socket: aiohttp.ClientWebSocketResponse) -> tuple[int, str]:
    """Return with what the connection is closed; what is said before does not matter."""
    while True:
        message = await socket.receive(timeout=WAIT_SECONDS)
        if message.type is WSMsgType.CLOSE:
            return int(message.data), str(message.extra)
        assert message.type is WSMsgType.TEXT, message


@pytest.mark.parametrize(
    ("headers", "status", "field"),
    [
        ({"Authorization": "Bearer wrong"}, 401, "Authorization"),
        ({"X-MowDeck-Principal": "nobody"}, 400, "X-MowDeck-Principal"),
        ({"X-MowDeck-Principal": GUEST}, 403, None),
        ({"X-MowDeck-API": "2"}, 400, "X-MowDeck-API"),
        ({}, 400, "Upgrade"),
    ],
)
async def test_who_may_not_come_is_told_before_the_door_opens(
    door: Door, headers: dict[str, str], status: int, field: str | None
) -> None:
    own = {"Authorization": f"Bearer {TOKEN}", "X-MowDeck-Principal": OWNER}
    async with door.client.get(door.url, headers=own | headers) as answer:
        assert answer.status == status
        assert (await answer.json())["error"].get("field") == field


async def test_what_may_not_be_said_is_named_and_ends_it(door: Door) -> None:
    for said, code, field in (
        ([{"type": "ack", "id": "1", "seq": 1}], "hello_missing", "type"),
        ([{"type": "hello"}], "invalid", "instance_id"),
        ([HELLO | {"scanners": [SCANNER | {"source": 1}]}], "invalid", "scanners[0].source"),
        ([HELLO, {"type": "nonsense"}], "invalid", "type"),
        ([HELLO, ADVERT | {"age_ms": "soon"}], "invalid", "age_ms"),
        ([HELLO, HELLO | {"instance_id": "another"}], "instance_changed", "instance_id"),
    ):
        async with door.dial(*said) as socket:
            last: dict[str, Any] = {}
            while last.get("type") != "error":
                last = await told(socket)
            assert (last["code"], last["field"]) == (code, field)
            assert await end(socket) == (WSCloseCode.POLICY_VIOLATION, code)
    async with door.dial() as socket:
        await socket.send_bytes(b"{}")
        assert (await told(socket))["code"] == "malformed_json"


async def test_whoever_says_nothing_is_let_go(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lending_socket, "_HELLO_SECONDS", 0.1)
    async with door.dial() as socket:
        assert (await told(socket))["code"] == "hello_missing"


async def test_what_is_heard_is_known_until_its_home_assistant_goes_or_comes_anew(door: Door) -> None:
    async with door.dial(HELLO, ADVERT, ADVERT | {"name": "somebody's phone", "address": "D0"}) as socket:
        assert await told(socket) == {"type": "watch", "names": [NAME]}
        await eventually(lambda: door.heard(1))
        (path,) = door.room.paths(NAME)
        assert (path.kind, path.signal_dbm, path.free_slots) == (LinkKind.HOME_ASSISTANT, -60, 2)
        door.room.wish(NAME, frozenset())
        assert await told(socket) == {"type": "watch", "names": []}
        assert door.room.paths(NAME) == ()
        door.room.wish(NAME, frozenset({LinkKind.HOME_ASSISTANT}))
        async with door.dial(HELLO) as newer:
            assert await end(socket) == (WSCloseCode.OK, "replaced")
            assert await told(newer) == {"type": "watch", "names": [NAME]}
            assert door.room.paths(NAME) == ()
            await newer.send_json(ADVERT)
            await eventually(lambda: door.heard(1))
            async with door.dial(HELLO | {"instance_id": "neighbour"}, ADVERT):
                await eventually(lambda: door.heard(2))
            await eventually(lambda: door.heard(1))
        await eventually(lambda: door.heard(0))


async def test_a_wish_that_nobody_hears_ends_in_time(door: Door) -> None:
    async with door.dial(HELLO) as socket:
        assert (await told(socket))["type"] == "watch"
        (session,) = door.room._sessions.values()  # noqa: SLF001  # the other end is a library's
        connection = session.connection("C0", "AA")
        with pytest.raises(NotConnectedError, match="no_answer"):
            await connection.open(seconds=0.1)
        wish = await told(socket)
        assert (wish["type"], wish["address"], wish["source"]) == ("connect", "C0", "AA")
        assert 0 < wish["budget_ms"] <= 100
        assert await told(socket) == {"type": "disconnect", "id": wish["id"]}
        # One that comes too late is let go of, too.
        late = {"type": "connected", "id": "unknown", "source": "AA", "mtu": 247, "services": []}
        await socket.send_json(late)
        assert await told(socket) == {"type": "disconnect", "id": "unknown"}


async def test_an_api_that_dies_is_noticed(door: Door, bus: JetStreamBus, monkeypatch: pytest.MonkeyPatch) -> None:
    hello, advert = msgspec.convert(HELLO, Hello), msgspec.convert(ADVERT, Advertisement)
    await bus.request(routes.BLUETOOTH_OPEN, OpenLendingRequest(session_id="s", hello=hello))
    await bus.request(routes.BLUETOOTH_HEAR, HearLentRequest(session_id="s", number=1, messages=(advert,)))
    assert await door.heard(1)
    # Nobody fetches what is to be said.
    monkeypatch.setattr(lent_bluetooth, "_SILENT_SECONDS", 0.2)
    await eventually(lambda: door.heard(0))
    with pytest.raises(NotFoundError) as caught:
        await bus.request(routes.BLUETOOTH_COLLECT, CollectLentRequest(session_id="s"))
    assert caught.value.code == "session_over"


async def test_a_request_that_is_missing_ends_it(door: Door, bus: JetStreamBus) -> None:
    hello, advert = msgspec.convert(HELLO, Hello), msgspec.convert(ADVERT, Advertisement)
    await bus.request(routes.BLUETOOTH_OPEN, OpenLendingRequest(session_id="s", hello=hello))
    await bus.request(routes.BLUETOOTH_HEAR, HearLentRequest(session_id="s", number=2, messages=(advert,)))
    reply = await bus.request(routes.BLUETOOTH_COLLECT, CollectLentRequest(session_id="s"))
    assert reply.ended == "out_of_step"
    assert await door.heard(0)


async def test_without_a_device_gateway_it_is_to_be_tried_again(door: Door) -> None:
    async with door.dial(HELLO) as socket:
        assert (await told(socket))["type"] == "watch"
        _, (code, reason) = await asyncio.gather(door.desk.stop(), end(socket))
        assert code == WSCloseCode.TRY_AGAIN_LATER
        assert reason in {"stopping", "no_responder"}
    async with door.dial(HELLO) as socket:
        assert await end(socket) == (WSCloseCode.TRY_AGAIN_LATER, "no_responder")


async def test_a_look_that_fails_is_not_the_last(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    looks = 0
    again = asyncio.Event()

    def look() -> None:
        nonlocal looks
        looks += 1
        if looks == 1:
            message = "not foreseen"
            raise RuntimeError(message)
        again.set()

    monkeypatch.setattr(lending_desk, "_LOOK_SECONDS", 0.05)
    monkeypatch.setattr(door.room, "look", look)
    async with asyncio.timeout(30):
        await again.wait()


async def test_one_copy_of_the_gateway_takes_what_is_lent_and_the_next_one_after_it(
    door: Door, bus: JetStreamBus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lending_desk, "_RETRY_SECONDS", 0.05)
    other = LentBluetooth(door.radio, BridgesSettings())
    other.wish(NAME, frozenset({LinkKind.HOME_ASSISTANT}))
    desk = LendingDesk(other, bus=bus, instance_id="two")
    await desk.start()
    try:
        async with door.dial(HELLO, ADVERT):
            await eventually(lambda: door.heard(1))
        await door.desk.stop()

        async def taken_over() -> bool:
            async with door.dial(HELLO, ADVERT) as socket:
                # The other copy wants the mower as well; nobody answers before it does.
                return (await socket.receive(timeout=WAIT_SECONDS)).type is WSMsgType.TEXT

        await eventually(taken_over)
    finally:
        await desk.stop()


async def test_a_crowd_is_not_let_in(door: Door, bus: JetStreamBus) -> None:
    hello = msgspec.convert(HELLO, Hello)
    for number in range(lent_bluetooth._SESSIONS_MAXIMUM):  # noqa: SLF001  # what is allowed
        one = msgspec.structs.replace(hello, instance_id=f"home-{number}")
        await bus.request(routes.BLUETOOTH_OPEN, OpenLendingRequest(session_id=f"s{number}", hello=one))
    async with door.dial(HELLO) as socket:
        assert await end(socket) == (WSCloseCode.TRY_AGAIN_LATER, "too_many_lenders")
