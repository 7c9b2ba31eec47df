"""The integration's client against the gateway's openapi document: paths, bodies, answers and messages."""

import inspect
import re
import sys
import typing
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from typing import Any

import jsonschema_rs
import pytest

from edge_gateway.api.openapi import document
from edge_gateway.api.service import ApiService
from edge_gateway.api.settings import ApiSettings
from edge_gateway.bus.memory import MemoryBus
from edge_gateway.contracts.clock import SystemClock
from tests.unit.integration_client.loading import client_package, load, module_names
from tests.unit.integration_client.samples import VARIANTS, Json, Samples

__all__ = ["client_package"]

MOMENT = datetime(2026, 5, 1, 7, tzinfo=UTC)
PREFIX = "/api/v1/"


@pytest.fixture(scope="module")
def described() -> Json:
    clock = SystemClock()
    service = ApiService(
        bus=MemoryBus(clock),
        clock=clock,
        settings=ApiSettings(),
        gateway_id="g",
        token="t",  # noqa: S106  # opens nothing
        write_port=lambda _port: None,
    )
    return document(service.endpoints())


class Door:
    """Answers the client as the document says, and refuses what the document does not know."""

    def __init__(self, described: Json, variant: int) -> None:
        """Answer with one variant of each answer."""
        self._described = described
        self._samples = Samples(described)
        self._variant = variant

    async def request(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        key: str | None = None,
        caller: object = None,
        query: Mapping[str, str] | None = None,
        patience: object = None,
    ) -> object:
        """Answer a request."""
        del caller, patience
        operation = self._operation(method, path)
        self._check_parameters(operation, key, query or {})
        if "requestBody" in operation:
            schema = operation["requestBody"]["content"]["application/json"]["schema"]
            whole = {**schema, "components": self._described["components"]}
            jsonschema_rs.validate(whole, body)
        else:
            assert body is None, f"{method} {path} takes no body"
        answer = next(each for status, each in operation["responses"].items() if status.startswith("2"))
        if "content" not in answer:
            return None
        return self._samples.make(answer["content"]["application/json"]["schema"], self._variant)

    async def download(self, path: str, query: Mapping[str, str], caller: object) -> bytes:
        """Answer a request for a file."""
        del caller
        self._check_parameters(self._operation("GET", path), None, query)
        return b""

    def _operation(self, method: str, path: str) -> Json:
        for template, methods in self._described["paths"].items():
            pattern = re.sub(r"\{\w+\}", "[A-Za-z0-9_-]+", template.removeprefix(PREFIX))
            # A path of words alone comes before one that takes any word.
            if re.fullmatch(pattern, path) and method.lower() in methods:
                operation: Json = methods[method.lower()]
                return operation
        pytest.fail(f"the gateway has no {method} {path}")

    def _check_parameters(self, operation: Json, key: str | None, query: Mapping[str, str]) -> None:
        named = {each.get("name") for each in operation["parameters"] if each.get("in") == "query"}
        assert set(query) <= named
        takes_key = {"$ref": "#/components/parameters/Key"} in operation["parameters"]
        assert takes_key == (key is not None)


def example(name: str, kind: Any) -> Any:  # noqa: ANN401  # a value of any type
    """Return a value for a parameter of the client, by its type."""
    module = load("schedule")
    command, caller, recurrence = load("command"), load("caller"), load("recurrence")
    pushed, person = load("pushed_weather"), load("person")
    links = load("links")
    known: dict[Any, Any] = {
        links.Links: links.Links(order=("bridge", "home_assistant", "cloud")),
        str: "an-id",
        int: 3,
        bool: True,
        float: 3.5,
        datetime: MOMENT,
        command.Order: command.Order(
            kind=command.CommandKind.START_MOW, mode=command.StartMode.AUTO, area_ids=("front",)
        ),
        caller.Caller: caller.SELF,
        person.House: person.House(
            instance_id="a-house",
            owner="olga",
            people=(
                person.Person(id="olga", name="Olga", everything=True, mowers={}),
                person.Person(
                    id="uwe",
                    name=None,
                    everything=False,
                    mowers={(person.Relation.VIEW, person.Relation.CONTROL): ("an-id", "another-id")},
                ),
            ),
        ),
        pushed.PushedWeather: pushed.PushedWeather(
            source="weather.home",
            attribution="Somebody",
            precipitation_unit="mm",
            hours=(pushed.PushedHour(starts_at=MOMENT, precipitation=0.5, probability_percent=40.0),),
            sensor=True,
            raining=None,
            observed_at=MOMENT,
        ),
        module.ScheduleDraft: module.ScheduleDraft(
            name="Mornings",
            target=module.Target(mower_id="an-id"),
            recurrence=recurrence.Weekly(days=(recurrence.Weekday.MONDAY,), at="09:00"),
            duration_minutes=120,
            area_ids=("front",),
            rain_enabled=True,
            starts_on=date(2026, 5, 1),
            ends_on=date(2026, 6, 1),
        ),
    }
    for choice in (kind, *typing.get_args(kind)):
        if choice in known:
            return known[choice]
        if typing.get_origin(choice) is Mapping or choice is Mapping:
            return {}
    raise AssertionError(f"no example of {name}: {kind}; add one")


OWN_ARGUMENTS: dict[str, list[dict[str, Any]]] = {
    "export": [
        {"what": "history", "query": {"mower_id": "an-id", "format": "csv"}},
        *({"what": what, "query": {"mower_id": "an-id", "format": "json"}} for what in ("positions", "days", "jobs")),
    ],
    "update_schedule": [
        {"changes": {"name": "n", "enabled": False, "duration_minutes": 60, "rain": {"enabled": False}}},
        {"changes": {"recurrence": {"kind": "weekly", "days": ["mon"], "at": "09:00"}, "area_ids": ["front"]}},
        {"changes": {"recurrence": {"kind": "every_n_days", "interval": 3, "anchor": "2026-05-01", "at": "09:00"}}},
        {"changes": {"recurrence": {"kind": "once", "day": "2026-05-01", "at": "09:00"}, "ends_on": "2026-05-01"}},
    ],
    "update_site": [
        {"changes": {"time_zone": "Europe/Berlin", "latitude": 52.5, "longitude": 13.4}},
        {"changes": {"weather_source": "home_assistant", "rain": {"resume_when_dry": True, "lookahead_hours": 4}}},
        {
            "changes": {
                "quiet_hours": {
                    "begin": {"at": "20:00", "sun": "sunset", "offset_minutes": -15},
                    "end": {"at": "08:00", "sun": None, "offset_minutes": 0},
                }
            }
        },
    ],
    "update_mower": [{"changes": {"obey_rain": False}}],
    "update_area": [{"changes": {"enabled": False}}],
    "create_bridge": [
        {"fields": {"host": "192.168.1.50", "port": 6053}},
        {"fields": {"host": "shed.local", "port": 6053, "key": "secret", "name": "Shed"}},
    ],
    "update_bridge": [
        {"changes": {"host": "192.168.1.51", "port": 6053, "key": "secret", "name": "Shed", "expected_mac": None}}
    ],
    "create_group": [{"fields": {"name": "Both", "mower_ids": ["an-id"], "max_concurrent": 1}}],
    "update_group": [{"changes": {"name": "Both", "mower_ids": ["an-id"], "max_concurrent": None}}],
    "hold": [{"until": MOMENT}, {"until": None}],
    "override_rain": [{"until": MOMENT}, {"until": None}],
}
"""What the integration gives to those whose types say too little."""


def requests_of(client: object) -> list[tuple[str, Callable[..., Any]]]:
    """Return the public requests of the client."""
    members = inspect.getmembers(client, inspect.iscoroutinefunction)
    return [(name, method) for name, method in members if not name.startswith("_")]


@pytest.mark.usefixtures("client_package")
def test_the_client_needs_no_home_assistant() -> None:
    assert len([load(name) for name in module_names()]) > 10
    assert not [name for name in sys.modules if name.partition(".")[0] == "homeassistant"]


@pytest.mark.usefixtures("client_package")
@pytest.mark.parametrize("variant", range(VARIANTS))
async def test_every_request_is_one_of_the_gateways_and_every_answer_is_read(
    described: Json, monkeypatch: pytest.MonkeyPatch, variant: int
) -> None:
    door = Door(described, variant)
    client = load("client").Client(None, host="127.0.0.1", port=1, token="t")  # noqa: S106  # opens nothing
    monkeypatch.setattr(client, "_request", door.request)
    monkeypatch.setattr(client, "_download", door.download)
    requests = requests_of(client)
    assert len(requests) > 15
    assert OWN_ARGUMENTS.keys() <= {name for name, _ in requests}
    for name, method in requests:
        hints = typing.get_type_hints(method)
        arguments = {each: example(each, hints[each]) for each in inspect.signature(method).parameters}
        for own in OWN_ARGUMENTS.get(name, [{}]):
            if name == "get_info":
                continue
            await method(**arguments | own)


@pytest.mark.usefixtures("client_package")
@pytest.mark.parametrize("variant", range(VARIANTS))
@pytest.mark.parametrize("name", ["Hello", "Snapshot", "Change"])
async def test_every_message_of_the_stream_is_read(described: Json, name: str, variant: int) -> None:
    message = Samples(described).make({"$ref": f"#/components/schemas/{name}"}, variant)
    message.setdefault("type", name.lower())
    read = await load("messages").MessageReader().read(message)
    assert type(read).__name__ == name


@pytest.mark.usefixtures("client_package")
def test_what_the_gateway_is_says_which_versions_it_speaks(described: Json) -> None:
    schema = described["components"]["schemas"]["Info"]
    assert {"version", "api", "gateway_id", "name", "services"} <= set(schema["required"])
    assert load("info").API_VERSION == 1
