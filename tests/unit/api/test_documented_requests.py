"""The requests in the documents are made, word by word, to the real API; behind it the test answers for services."""

import re
from collections.abc import AsyncIterator
from datetime import UTC, datetime

import aiohttp
import msgspec
import pytest

from edge_gateway.api.openapi import document
from edge_gateway.api.probes import Probes
from edge_gateway.api.service import ApiService
from edge_gateway.api.settings import ApiSettings
from edge_gateway.bus.memory import MemoryBus, MemoryServer
from edge_gateway.contracts import routes
from edge_gateway.contracts.bridges import Bridge, CreateBridgeRequest, LinksReply, PutLinksRequest, ReleaseLinkRequest
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.contracts.fleet import CreateVendorAccountRequest, VendorAccount
from edge_gateway.contracts.grants import PrincipalsReply, PutPrincipalsRequest
from edge_gateway.contracts.mower import LinkKind
from edge_gateway.fleet.principal_rules import check_set
from tests.documents import Said, commands
from tests.documents import routes as named_routes

NOW = datetime(2026, 5, 4, tzinfo=UTC)
TOKEN = "of-the-test"  # noqa: S105  # opens one test's server
DOCUMENTED = "http://127.0.0.1:8765"
READERS_OWN = {"$(cat /var/lib/mowdeck/token)": TOKEN, "$TOKEN": TOKEN, "$MOWER": "the-mower"}
CURLS = [said for said in commands() if said.words[0] == "curl"]
ROUTES = list(named_routes())


class Services:
    """Answers for the device gateway and the Fleet, and notes what it was asked."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.asked: list[msgspec.Struct] = []

    async def add_account(self, question: CreateVendorAccountRequest) -> VendorAccount:
        """Take a login."""
        self.asked.append(question)
        return VendorAccount(
            id="account",
            account_id="home",
            provider=question.provider,
            username=question.username,
            status="starting",
            created_at=NOW,
        )

    async def add_bridge(self, question: CreateBridgeRequest) -> Bridge:
        """Take a bridge."""
        self.asked.append(question)
        return Bridge(
            id="bridge",
            account_id="home",
            name="Shed",
            host=question.host,
            port=question.port,
            encrypted=True,
            created_at=NOW,
        )

    async def put_links(self, question: PutLinksRequest) -> LinksReply:
        """Take an order of links."""
        self.asked.append(question)
        return LinksReply(order=question.order)

    async def release(self, question: ReleaseLinkRequest) -> LinksReply:
        """Leave Bluetooth to the phone."""
        self.asked.append(question)
        return LinksReply(order=(LinkKind.CLOUD,), released_until=NOW)

    async def put_principals(self, question: PutPrincipalsRequest) -> PrincipalsReply:
        """Take a set, as the Fleet takes it."""
        check_set(question)
        self.asked.append(question)
        return PrincipalsReply(instance_id=question.instance_id, revision=question.revision, changed=True)


def make_api(bus: MemoryBus) -> ApiService:
    return ApiService(
        bus=bus,
        clock=SystemClock(),
        settings=ApiSettings(port=0),
        gateway_id="01JDGATEWAY",
        token=TOKEN,
        write_port=lambda _port: None,
    )


@pytest.fixture
async def bus() -> AsyncIterator[MemoryBus]:
    bus = MemoryBus(SystemClock(), server=MemoryServer(SystemClock()))
    yield bus
    await bus.close()


@pytest.fixture
async def services(bus: MemoryBus) -> Services:
    """Return what answers behind the API."""
    services = Services()
    await bus.reply(routes.VENDOR_ACCOUNTS_CREATE, services.add_account)
    await bus.reply(routes.BRIDGES_CREATE, services.add_bridge)
    await bus.reply(routes.LINKS_PUT, services.put_links)
    await bus.reply(routes.LINKS_RELEASE, services.release)
    await bus.reply(routes.PRINCIPALS_PUT, services.put_principals)
    return services


@pytest.fixture
async def url(bus: MemoryBus, services: Services) -> AsyncIterator[str]:
    """Return where the API listens."""
    del services
    api = make_api(bus)
    await api.start()
    yield f"http://127.0.0.1:{api.port}"
    await api.stop()


async def make_request(said: Said, url: str) -> tuple[int, str]:
    """Do what curl would; an option of it that is not known fails."""
    method, address, data, headers = "GET", "", None, {}
    words = iter(said.words[1:])
    for word in words:
        match word:
            case "-X":
                method = next(words)
            case "-H":
                name, _, value = next(words).partition(": ")
                headers[name] = value
            case "-d":
                data = next(words)
            case _:
                assert word.startswith(DOCUMENTED), word
                address = word
    for placeholder, own in READERS_OWN.items():
        address = address.replace(placeholder, own)
        headers = {name: value.replace(placeholder, own) for name, value in headers.items()}
    assert "$" not in address + "".join(headers.values())
    target = address.replace(DOCUMENTED, url)
    async with (
        aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=20)) as session,
        session.request(method, target, data=data, headers=headers) as answer,
    ):
        return answer.status, await answer.text()


@pytest.mark.parametrize("said", CURLS, ids=str)
async def test_a_request_is_taken_as_it_stands(said: Said, url: str, services: Services) -> None:
    status, text = await make_request(said, url)
    assert 200 <= status < 300, text
    assert len(services.asked) == 1


def test_there_are_requests_and_the_port_is_the_one_that_they_name() -> None:
    assert len(CURLS) >= 4
    assert DOCUMENTED.endswith(f":{ApiSettings.model_fields['port'].default}")


@pytest.mark.parametrize("said", ROUTES, ids=str)
def test_a_route_that_is_named_is_one_of_the_api(said: Said) -> None:
    method, path = said.text.split()
    asked = path.removeprefix("/api/v1").split("/")
    bus = MemoryBus(SystemClock())
    known = document(make_api(bus).endpoints())["paths"]
    known |= {path: {"get": {}} for path in Probes(bus, (), events_open=bool).handlers}

    def is_the_same(candidate: str) -> bool:
        parts = candidate.removeprefix("/api/v1").split("/")
        return len(parts) == len(asked) and all(
            part == word or re.fullmatch(r"\{\w+\}", part) for part, word in zip(parts, asked, strict=True)
        )

    assert any(is_the_same(candidate) and method.lower() in known[candidate] for candidate in known)
