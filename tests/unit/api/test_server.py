"""What strangers do to the listening address: say nothing, or what is not HTTP."""

import asyncio
import json
import logging

import pytest
from aiohttp import web

from edge_gateway.api.server import HttpServer


async def test_a_connection_that_says_nothing_is_let_go() -> None:
    server = HttpServer(web.Application(), host="127.0.0.1", port=0, idle_seconds=0.1)
    reader, writer = await asyncio.open_connection("127.0.0.1", await server.start())
    async with asyncio.timeout(20):
        assert await reader.read() == b""
    writer.close()
    await server.stop()


@pytest.mark.parametrize(
    "words",
    [
        b"GET / HTTP/1.1\r\nno colon\r\n\r\n",
        b"GET / HTTP/1.1\r\nA: " + b"x" * 9000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        b"GET \xff\r\n\r\n",
    ],
)
async def test_what_is_not_http_is_answered_as_an_error_and_told_in_one_line(
    words: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    server = HttpServer(web.Application(), host="127.0.0.1", port=0)
    reader, writer = await asyncio.open_connection("127.0.0.1", await server.start())
    writer.write(words)
    async with asyncio.timeout(20):
        head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.0 400")
    assert b"Content-Type: application/json" in head
    error = json.loads(body)["error"]
    assert (error["code"], "\n" in error["detail"]) == ("bad_request", False)
    writer.close()
    await server.stop()
    [told] = [record for record in caplog.records if record.name == "edge_gateway.api.server"]
    assert (told.levelno, told.exc_info) == (logging.INFO, None)
    assert told.getMessage().startswith("request that is not HTTP refused")


async def test_who_goes_away_in_the_middle_is_told_in_one_line(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    reading, gone = asyncio.Event(), asyncio.Event()

    async def read(request: web.Request) -> web.Response:
        reading.set()
        try:
            await request.read()
        finally:
            gone.set()
        return web.Response()

    application = web.Application()
    application.router.add_post("/", read)
    server = HttpServer(application, host="127.0.0.1", port=0)
    _, writer = await asyncio.open_connection("127.0.0.1", await server.start())
    writer.write(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{")
    async with asyncio.timeout(20):
        await reading.wait()
        writer.close()
        await gone.wait()
    await server.stop()
    [told] = [record for record in caplog.records if record.name == "edge_gateway.api.server"]
    assert (told.levelno, told.exc_info) == (logging.INFO, None)
    assert told.getMessage().startswith("client went away")
