"""The door itself: tokens, headers, limits, probes, errors, the address."""

import asyncio
from typing import Any

import aiohttp
import msgspec
import pytest

from edge_gateway import __version__
from edge_gateway.api.endpoints import AnyEndpoint
from edge_gateway.api.settings import ApiSettings
from edge_gateway.bus.jetstream import JetStreamBus
from edge_gateway.contracts.errors import ConfigurationError
from tests.eventually import eventually
from tests.service.api.house import HEADERS, TOKEN, ApiHouse

SERVICES = {"fleet", "scheduler", "telemetry", "notifications", "device_gateway"}

IMPATIENT = ApiSettings(port=0, answer_timeout_seconds=0.3, request_timeout_seconds=0.6, body_limit_bytes=2048)


def filled(endpoint: AnyEndpoint) -> str:
    path = endpoint.path
    for name in endpoint.path_names:
        path = path.replace("{" + name + "}", "x")
    return path


async def spoken(house: ApiHouse, headers: str, body: bytes) -> tuple[int, bytes]:
    """Say to the server, byte for byte, what no client would; return its status and its words."""
    reader, writer = await asyncio.open_connection("127.0.0.1", house.api.port)
    writer.write(
        f"POST /api/v1/sites HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer {TOKEN}\r\n"
        f"X-MowDeck-Principal: user:owner\r\nContent-Type: application/json\r\n{headers}\r\n\r\n".encode()
        + body
    )
    async with asyncio.timeout(10):
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length: ")[2].split()[0])
        words = await reader.readexactly(length)
    writer.close()
    await writer.wait_closed()
    return int(head.split()[1]), words


async def test_no_route_opens_without_the_token_or_without_a_person(house: ApiHouse) -> None:
    for endpoint in house.api.endpoints():
        path = filled(endpoint)
        for headers, status, field in (
            ({"Authorization": ""}, 401, "Authorization"),
            ({"Authorization": "Bearer wrong"}, 401, "Authorization"),
            ({"X-MowDeck-Principal": ""}, 400, "X-MowDeck-Principal"),
            ({"X-MowDeck-Principal": "nobody"}, 400, "X-MowDeck-Principal"),
            ({"X-MowDeck-Origin": "scheduler"}, 400, "X-MowDeck-Origin"),
        ):
            answer = await house.ask(endpoint.method, path, headers=headers)
            assert (answer.status, answer.error["field"]) == (status, field), (endpoint.method, path)


async def test_orders_need_a_key(house: ApiHouse) -> None:
    orders = [endpoint for endpoint in house.api.endpoints() if endpoint.orders]
    assert len(orders) == 3
    for endpoint in orders:
        answer = await house.ask(endpoint.method, filled(endpoint), {})
        assert (answer.status, answer.error["field"]) == (400, "Idempotency-Key")


async def test_a_client_of_another_version_is_refused_everywhere_but_at_info(house: ApiHouse) -> None:
    headers = {"X-MowDeck-API": "2"}
    answer = await house.ask("GET", "/mowers", headers=headers)
    assert (answer.status, answer.error["code"]) == (400, "api_version_unsupported")
    assert answer.error["values"] == {"version": 2, "min": 1, "max": 1}
    info = await house.ask("GET", "/info", headers=headers)
    assert (info.status, info.body["api"]) == (200, {"min": 1, "max": 1})
    assert (await house.ask("GET", "/mowers", headers={"X-MowDeck-API": "1"})).status == 200


async def test_info(house: ApiHouse) -> None:
    info = (await house.ask("GET", "/info")).body
    assert (info["version"], info["gateway_id"], info["name"]) == (__version__, "01JDGATEWAY", "MowDeck")
    assert info["services"] == dict.fromkeys(SERVICES, True)


async def test_a_stranger_is_unknown(house: ApiHouse) -> None:
    answer = await house.ask("GET", "/mowers", headers={"X-MowDeck-Principal": "user:stranger"})
    assert (answer.status, answer.error["code"]) == (403, "unknown_principal")


async def test_the_probes_need_no_token(house: ApiHouse) -> None:
    async with house.session.get(f"{house.url}/healthz") as response:
        assert (response.status, await response.json()) == (200, {"alive": True})
    async with house.session.get(f"{house.url}/readyz") as response:
        ready = await response.json()
        assert (response.status, ready["ready"], ready["reasons"]) == (200, True, {})
        assert ready["services"] == dict.fromkeys(SERVICES | {"bus", "api"}, True)
    await house.ask("GET", "/mowers/secret-id")
    async with house.session.get(f"{house.url}/metrics") as response:
        text = await response.text()
    assert response.content_type == "text/plain"
    assert 'mowdeck_api_requests_total{method="GET",route="/api/v1/mowers/{mower_id}",status="404"}' in text
    assert "secret-id" not in text


async def test_readiness_says_which_service_is_not_and_why(house: ApiHouse) -> None:
    await house.gateway.stop()
    async with house.session.get(f"{house.url}/readyz") as response:
        ready = await response.json()
    assert (response.status, ready["ready"], ready["services"]["device_gateway"]) == (503, False, False)
    assert set(ready["reasons"]) == {"device_gateway"}
    assert "device_gateway.health.get" in ready["reasons"]["device_gateway"]


async def test_readiness_waits_until_readers_of_the_events_can_join(house: ApiHouse) -> None:
    await house.api.stop()
    await house.fleet.stop()
    house.api = house.make_api(house.bus)
    await house.api.start()
    async with house.session.get(f"{house.url}/readyz") as response:
        ready = await response.json()
    assert (response.status, ready["services"]["api"]) == (503, False)
    assert ready["reasons"]["api"].startswith("It has not yet read the mowers and schedules")
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        await house.session.ws_connect(f"{house.url}/api/v1/events", headers=HEADERS)
    assert refused.value.status == 503


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [("GET", "/nothing", 404, "no_such_path"), ("PUT", "/mowers", 405, "no_such_method")],
)
async def test_paths_and_methods_that_are_none(house: ApiHouse, method: str, path: str, status: int, code: str) -> None:
    answer = await house.ask(method, path)
    assert (answer.status, answer.error["code"]) == (status, code)


async def test_a_body_that_is_too_long(house: ApiHouse) -> None:
    answer = await house.ask("POST", "/sites", raw=b'{"name":"' + b"x" * 300_000 + b'"}')
    assert (answer.status, answer.error["code"]) == (413, "too_large")


@pytest.mark.parametrize("raw", [b"", b"{", b"[1]", b"\xff"])
async def test_a_body_that_is_no_object(house: ApiHouse, raw: bytes) -> None:
    answer = await house.ask("POST", "/sites", raw=raw)
    assert (answer.status, answer.error["field"]) == (422, "body")


async def test_a_body_that_is_no_json_by_its_own_word(house: ApiHouse) -> None:
    answer = await house.ask("POST", "/sites", raw=b"name=x", headers={"Content-Type": "text/plain"})
    assert (answer.status, answer.error["field"]) == (422, "Content-Type")


async def test_openapi_is_answered(house: ApiHouse) -> None:
    assert (await house.ask("GET", "/openapi.json")).body["openapi"] == "3.1.0"
    assert (await house.ask("GET", "/openapi.json", headers={"Authorization": ""})).status == 401


async def test_the_port_is_told_and_freed(house: ApiHouse) -> None:
    assert house.ports == [house.api.port]
    await house.api.stop()
    with pytest.raises(aiohttp.ClientConnectorError):
        await house.ask("GET", "/info")


@pytest.mark.parametrize(
    ("address", "name"),
    [(None, "MOWDECK_API_PORT"), (ApiSettings(host="192.0.2.1", port=0), "MOWDECK_API_HOST")],
)
async def test_an_address_that_cannot_be_had_is_named(
    house: ApiHouse, bus: JetStreamBus, address: ApiSettings | None, name: str
) -> None:
    house.settings = address or ApiSettings(port=house.api.port)
    second = house.make_api(bus)
    with pytest.raises(ConfigurationError, match=name):
        await second.start()
    await second.stop()


@pytest.mark.parametrize("settings", [IMPATIENT])
async def test_a_service_that_stays_silent_is_a_time_out(house: ApiHouse) -> None:
    connection = await house.fleet.pool.acquire()
    transaction = connection.transaction()
    await transaction.start()
    await connection.execute("LOCK TABLE fleet.site IN ACCESS EXCLUSIVE MODE")
    answer = await house.ask("GET", "/sites")
    await transaction.rollback()
    await house.fleet.pool.release(connection)
    assert (answer.status, answer.error["code"]) == (504, "no_answer")


@pytest.mark.parametrize(
    ("encoding", "raw"),
    [("gzip", b"{}"), ("deflate", b"\xff\xff"), ("zstd", b"{}")],
)
async def test_a_body_that_is_not_packed_as_it_says(house: ApiHouse, encoding: str, raw: bytes) -> None:
    status, text = await spoken(house, f"Content-Encoding: {encoding}\r\nContent-Length: {len(raw)}", raw)
    assert (status, b'"field":"Content-Encoding"' in text) == (400, True), text


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Authorization", f"Bearer {TOKEN}"),
        ("X-MowDeck-Principal", "user:somebody"),
        ("X-MowDeck-Origin", "voice"),
        ("X-MowDeck-API", "1"),
        ("Idempotency-Key", "another"),
    ],
)
async def test_a_header_that_is_there_twice_is_named(house: ApiHouse, name: str, value: str) -> None:
    repeated = f"X-MowDeck-Origin: api\r\nX-MowDeck-API: 1\r\nIdempotency-Key: one\r\n{name}: {value}"
    status, text = await spoken(house, f"{repeated}\r\nContent-Length: 2", b"{}")
    assert (status, f'"field":"{name}"'.encode() in text) == (400, True), text


@pytest.mark.parametrize("settings", [IMPATIENT])
async def test_a_body_that_never_ends_is_a_time_out_and_nothing_was_done(house: ApiHouse) -> None:
    status, text = await spoken(house, "Content-Length: 100", b"{")
    assert (status, b'"field":"body"' in text) == (408, True), text


async def test_the_database_gone_is_said(house: ApiHouse) -> None:
    house.fleet.pool.terminate()
    answer = await house.ask("GET", "/mowers")
    assert (answer.status, answer.error["code"]) == (503, "database_unavailable")


async def test_an_error_inside_tells_nothing_of_the_inside(house: ApiHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: object) -> Any:  # noqa: ANN401  # never returns
        message = "the inside"
        raise RuntimeError(message)

    monkeypatch.setattr(house.api._mower_board, "view_of", broken)  # noqa: SLF001  # nothing else breaks on demand
    answer = await house.ask("GET", "/mowers")
    assert (answer.status, answer.error["code"]) == (500, "internal")
    assert "inside'" not in msgspec.json.encode(answer.body).decode()
    assert "the inside" not in answer.error["detail"] or "gateway" in answer.error["detail"]


async def test_it_stops_with_readers_connected(house: ApiHouse) -> None:
    async with house.session.ws_connect(f"{house.url}/api/v1/events", headers=HEADERS) as socket:
        await socket.receive()
        await socket.receive()
        stopping = asyncio.create_task(house.api.stop())
        message = await socket.receive(timeout=5)
        assert (message.type, socket.close_code) == (aiohttp.WSMsgType.CLOSE, 1001)
        await asyncio.wait_for(stopping, 5)


async def test_services_that_come_late_open_the_events(house: ApiHouse) -> None:
    await house.scheduler.stop()
    await house.api.stop()
    house.api = house.make_api(house.bus)
    await house.api.start()
    with pytest.raises(aiohttp.WSServerHandshakeError) as raised:
        await house.session.ws_connect(f"{house.url}/api/v1/events", headers=HEADERS)
    assert raised.value.status == 503
    await house.scheduler.start()

    async def opened() -> bool:
        try:
            async with house.session.ws_connect(f"{house.url}/api/v1/events", headers=HEADERS):
                return True
        except aiohttp.WSServerHandshakeError:
            return False

    await eventually(opened)
