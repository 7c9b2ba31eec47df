"""Too many readers, too slow readers, readers that were away for too long."""

import asyncio
import contextlib

import aiohttp
import msgspec
import pytest

from edge_gateway.api.settings import ApiSettings
from tests.eventually import eventually
from tests.service.api.house import HEADERS, ApiHouse
from tests.service.api.listening import content, listening, publish

CROWDED = ApiSettings(port=0, watch_seconds=0.1, events_kept=5, events_queue=20, events_readers=2)


@pytest.mark.parametrize("settings", [CROWDED])
async def test_a_cursor_that_is_too_old_gets_a_fresh_snapshot(house: ApiHouse) -> None:
    async with listening(house) as listener:
        _, snapshot = await listener.greeting()
        for second in range(6):
            await house.tell_state(house.state(second))
            await listener.next()
    assert snapshot is not None
    async with listening(house, snapshot["cursor"]) as listener:
        assert not (await listener.greeting())[0]["resumed"]


@pytest.mark.parametrize("settings", [CROWDED])
async def test_one_reader_too_many_is_told_so(house: ApiHouse) -> None:
    async with listening(house), listening(house):
        with pytest.raises(aiohttp.WSServerHandshakeError) as raised:
            await house.session.ws_connect(f"{house.url}/api/v1/events", headers=HEADERS)
        assert raised.value.status == 503


@pytest.mark.parametrize("settings", [CROWDED])
async def test_a_slow_reader_is_dropped_and_blocks_nobody(house: ApiHouse) -> None:
    before = await _dropped(house)
    slow = await _deaf_reader(house)
    async with listening(house) as quick:
        await quick.greeting()
        padding = "x" * 100_000
        for number in range(200):
            await publish(house, "notifications.event", _Notice(number=number, text=padding), house.mower_id)
            told = content(await quick.until("event"))["event"]["payload"]["number"]
            assert told == number
            if await _dropped(house) > before:
                break
    assert await _dropped(house) == before + 1
    assert await _close_code(slow) == aiohttp.WSCloseCode.TRY_AGAIN_LATER


@pytest.mark.parametrize("settings", [CROWDED])
async def test_a_reader_that_never_reads_is_cut(house: ApiHouse) -> None:
    before = await _dropped(house)
    reader, writer = await _deaf_reader(house)
    for number in range(200):
        await publish(house, "notifications.event", _Notice(number=number, text="x" * 100_000), house.mower_id)
        if await _dropped(house) > before:
            break

    async def let_go() -> bool:
        return await _readers(house) == 0

    await eventually(let_go)
    with contextlib.suppress(ConnectionError):
        async with asyncio.timeout(10):
            while await reader.read(65536):
                pass
    writer.close()


class _Notice(msgspec.Struct):
    number: int
    text: str


async def _deaf_reader(house: ApiHouse) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Return a connection to the events that reads its greeting and then nothing more."""
    reader, writer = await asyncio.open_connection("127.0.0.1", house.api.port, limit=1024)
    lines = [
        "GET /api/v1/events HTTP/1.1", "Host: x", "Connection: Upgrade", "Upgrade: websocket",
        "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        *(f"{name}: {value}" for name, value in HEADERS.items()),
    ]  # fmt: skip
    writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
    assert b"101" in await reader.readline()
    return reader, writer


async def _dropped(house: ApiHouse) -> float:
    async with house.session.get(f"{house.url}/metrics") as response:
        text = await response.text()
    wanted = 'mowdeck_api_event_readers_dropped_total{reason="too_slow"} '
    return sum(float(line.removeprefix(wanted)) for line in text.splitlines() if line.startswith(wanted))


async def _readers(house: ApiHouse) -> float:
    async with house.session.get(f"{house.url}/metrics") as response:
        text = await response.text()
    wanted = "mowdeck_api_event_readers "
    return sum(float(line.removeprefix(wanted)) for line in text.splitlines() if line.startswith(wanted))


async def _close_code(connection: tuple[asyncio.StreamReader, asyncio.StreamWriter]) -> int | None:
    """Read what is left of a connection; return the code of the close frame at its end, if one came through."""
    reader, writer = connection
    left = b""
    try:
        async with asyncio.timeout(10):
            while chunk := await reader.read(65536):
                left = (left + chunk)[-200:]
    except ConnectionError:
        return None
    finally:
        writer.close()
    reason = b"too_slow"
    at = left.rfind(reason)
    return int.from_bytes(left[at - 2 : at]) if at >= 2 else None


@pytest.mark.parametrize("settings", [ApiSettings(port=0, watch_seconds=0.1, heartbeat_seconds=0.2)])
async def test_a_reader_that_answers_no_ping_is_let_go(house: ApiHouse) -> None:
    url = f"{house.url}/api/v1/events"
    async with house.session.ws_connect(url, headers=HEADERS, autoping=False) as socket:

        async def let_go() -> bool:
            return await _readers(house) == 0

        async with asyncio.timeout(10):
            while (await socket.receive()).type is not aiohttp.WSMsgType.PING:
                pass
        assert await _readers(house) == 1
        await eventually(let_go)
