"""The client without Home Assistant: requests that break, streams that say nothing, delays, memory."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import override

import aiohttp
import pytest
from aiohttp import web

from custom_components.mowdeck.client.back_off import FIRST_SECONDS, LONGEST_SECONDS, delay_seconds
from custom_components.mowdeck.client.caller import SELF
from custom_components.mowdeck.client.client import Client
from custom_components.mowdeck.client.command import CommandKind, Order
from custom_components.mowdeck.client.errors import (
    ClientError,
    MalformedError,
    UnreachableError,
    VersionError,
)
from custom_components.mowdeck.client.messages import Change, Hello, Snapshot
from custom_components.mowdeck.client.seen import Seen
from custom_components.mowdeck.client.stream import EventStream, Listener
from tests.emulators.gateway import documents
from tests.emulators.gateway.gateway import EmulatedGateway

PAUSE = Order(kind=CommandKind.PAUSE)


@pytest.fixture
async def session(gateway: EmulatedGateway) -> AsyncGenerator[aiohttp.ClientSession]:  # noqa: ARG001  # sockets are open
    async with aiohttp.ClientSession() as opened:
        yield opened


def client_of(session: aiohttp.ClientSession, gateway: EmulatedGateway) -> Client:
    return Client(session, host="127.0.0.1", port=gateway.port, token=gateway.token)


async def test_an_order_whose_connection_broke_is_sent_once_more_with_its_key(
    session: aiohttp.ClientSession, gateway: EmulatedGateway
) -> None:
    gateway.break_connections = 1
    command = await client_of(session, gateway).order(documents.MOWER_ID, PAUSE, key="key-1", caller=SELF)
    assert command.mower_id == documents.MOWER_ID
    assert [request.headers["Idempotency-Key"] for request in gateway.requests] == ["key-1", "key-1"]


async def test_a_connection_that_breaks_again_is_an_error(
    session: aiohttp.ClientSession, gateway: EmulatedGateway
) -> None:
    gateway.break_connections = 2
    with pytest.raises(UnreachableError):
        await client_of(session, gateway).order(documents.MOWER_ID, PAUSE, key="key-1", caller=SELF)


@pytest.mark.parametrize(
    ("host", "sentence"),
    [("127.0.0.1", "Connection refused"), ("nowhere.invalid", "No machine is known by the name nowhere.invalid")],
)
async def test_a_connection_that_cannot_be_made_is_said_for_a_person(
    session: aiohttp.ClientSession, gateway: EmulatedGateway, host: str, sentence: str
) -> None:
    await gateway.stop()
    client = Client(session, host=host, port=gateway.port, token=gateway.token)
    with pytest.raises(UnreachableError) as raised:
        await client.get_info()
    assert str(raised.value) == sentence


async def test_an_answer_that_takes_too_long_is_said_for_a_person() -> None:
    assert str(UnreachableError.because_of(aiohttp.ServerTimeoutError())) == "It takes too long to answer"


async def test_a_request_without_a_key_is_never_sent_twice(
    session: aiohttp.ClientSession, gateway: EmulatedGateway
) -> None:
    gateway.break_connections = 1
    with pytest.raises(UnreachableError):
        await client_of(session, gateway).update_schedule(documents.SCHEDULE_ID, {"enabled": False}, caller=SELF)
    assert len(gateway.requests) == 1


@pytest.mark.parametrize(("status", "text"), [(200, "<html>"), (302, "{}"), (404, "Not found")])
async def test_an_answer_that_no_gateway_gives_is_an_error(
    session: aiohttp.ClientSession, gateway: EmulatedGateway, status: int, text: str
) -> None:
    gateway.answer_with = (status, text)
    with pytest.raises(MalformedError):
        await client_of(session, gateway).order(documents.MOWER_ID, PAUSE, key="key-1", caller=SELF)


async def test_a_refused_version_is_told_as_one(session: aiohttp.ClientSession, gateway: EmulatedGateway) -> None:
    gateway.refuse(400, documents.error("api_version_unsupported", "Too new.", values={"min": 2, "max": 3}))
    with pytest.raises(VersionError) as raised:
        await client_of(session, gateway).order(documents.MOWER_ID, PAUSE, key="key-1", caller=SELF)
    assert not raised.value.gateway_is_older


class Notes(Listener):
    """Writes down why connections ended."""

    def __init__(self) -> None:
        """Start with none."""
        self.errors: asyncio.Queue[ClientError] = asyncio.Queue()

    @override
    async def on_hello(self, hello: Hello) -> None:
        """Nothing."""

    @override
    async def on_snapshot(self, snapshot: Snapshot) -> None:
        """Nothing."""

    @override
    def on_change(self, change: Change) -> None:
        """Nothing."""

    @override
    def on_lost(self, error: ClientError) -> None:
        self.errors.put_nowait(error)


type Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


async def tell_info(_request: web.Request) -> web.Response:
    return web.json_response(documents.info())


async def first_error(session: aiohttp.ClientSession, handler: Handler) -> ClientError:
    """Read a stream that a handler serves, and return why its first connection ended."""
    application = web.Application()
    application.router.add_get("/api/v1/events", handler)
    application.router.add_get("/api/v1/info", tell_info)
    runner = web.AppRunner(application, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    client = Client(session, host="127.0.0.1", port=runner.addresses[0][1], token="t")  # noqa: S106  # of nobody
    notes = Notes()
    reading = asyncio.create_task(EventStream(client, notes).run())
    try:
        async with asyncio.timeout(5):
            return await notes.errors.get()
    finally:
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)
        await runner.cleanup()


async def test_a_stream_that_is_refused_is_an_error(session: aiohttp.ClientSession) -> None:
    async def refuse(_request: web.Request) -> web.Response:
        return web.Response(status=503)

    error = await first_error(session, refuse)
    assert isinstance(error, UnreachableError)
    assert "503" in str(error)


async def test_a_stream_that_does_not_begin_with_hello_is_an_error(session: aiohttp.ClientSession) -> None:
    async def greet_wrongly(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_json(documents.snapshot())
        await socket.receive()
        return socket

    assert isinstance(await first_error(session, greet_wrongly), MalformedError)


async def test_a_stream_that_says_nothing_is_an_error(
    session: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("custom_components.mowdeck.client.stream.HANDSHAKE_SECONDS", 0.1)

    async def say_nothing(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.receive()
        return socket

    error = await first_error(session, say_nothing)
    assert isinstance(error, UnreachableError)
    assert "says nothing" in str(error)


@pytest.mark.parametrize(("settled_seconds", "attempts"), [(60.0, [0, 1, 2]), (0.0, [0, 0, 0])])
async def test_a_connection_that_worked_for_a_while_begins_the_delays_anew(
    session: aiohttp.ClientSession,
    gateway: EmulatedGateway,
    monkeypatch: pytest.MonkeyPatch,
    settled_seconds: float,
    attempts: list[int],
) -> None:
    seen: list[int] = []

    def note(attempt: int, _jitter: float) -> float:
        seen.append(attempt)
        return 0

    monkeypatch.setattr("custom_components.mowdeck.client.stream.SETTLED_SECONDS", settled_seconds)
    monkeypatch.setattr("custom_components.mowdeck.client.stream.delay_seconds", note)
    reading = asyncio.create_task(EventStream(client_of(session, gateway), Notes()).run())
    for connections in (1, 2, 3):
        await gateway.events.wait_for_connections(connections)
        await gateway.events.drop()
    await gateway.events.wait_for_connections(4)
    reading.cancel()
    await asyncio.gather(reading, return_exceptions=True)
    assert seen == attempts


def test_delays_double_up_to_the_longest() -> None:
    delays = [delay_seconds(attempt, 1.0) for attempt in range(40)]
    assert delays[0] == FIRST_SECONDS
    assert delays[1] == 2 * FIRST_SECONDS
    assert delays[-1] == LONGEST_SECONDS
    assert delays == sorted(delays)


def test_jitter_halves_a_delay_at_most() -> None:
    assert delay_seconds(3, 0.0) == delay_seconds(3, 1.0) / 2


def test_the_oldest_is_forgotten_first() -> None:
    seen = Seen(remembered=2)
    assert [seen.first_time(each) for each in ("a", "b", "a", "c", "a")] == [True, True, False, True, True]
