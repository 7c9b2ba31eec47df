"""The openapi document tells what the router does."""

from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest
from schemathesis.specs.openapi.definitions import OPENAPI_31

from edge_gateway.api.openapi import document
from edge_gateway.api.service import ApiService
from edge_gateway.api.settings import ApiSettings
from edge_gateway.bus.memory import MemoryBus
from edge_gateway.contracts.clock import SystemClock

FIXED = {
    "/api/v1/info": {"get"},
    "/api/v1/mowers": {"get"},
    "/api/v1/mowers/{mower_id}": {"get", "patch"},
    "/api/v1/mowers/{mower_id}/map": {"get"},
    "/api/v1/mowers/{mower_id}/history": {"get"},
    "/api/v1/mowers/{mower_id}/positions": {"get"},
    "/api/v1/mowers/{mower_id}/settings": {"get"},
    "/api/v1/mowers/{mower_id}/settings/{key}": {"put"},
    "/api/v1/mowers/{mower_id}/areas/{area_id}": {"patch"},
    "/api/v1/mowers/{mower_id}/commands": {"post"},
    "/api/v1/mowers/{mower_id}/hold": {"put", "delete"},
    "/api/v1/mowers/{mower_id}/rain-override": {"put", "delete"},
    "/api/v1/commands/{command_id}": {"get"},
    "/api/v1/schedules": {"get", "post"},
    "/api/v1/schedules/{schedule_id}": {"get", "patch", "delete"},
    "/api/v1/schedules/{schedule_id}/run-now": {"post"},
    "/api/v1/schedules/{schedule_id}/skip-next": {"post", "delete"},
    "/api/v1/schedules/{schedule_id}/runs": {"get"},
    "/api/v1/runs": {"get"},
    "/api/v1/schedules/preview": {"post"},
    "/api/v1/weather/{mower_id}": {"get"},
    "/api/v1/weather/sources/{site_id}": {"put"},
    "/api/v1/sites": {"get", "post"},
    "/api/v1/sites/{site_id}": {"get", "patch", "delete"},
    "/api/v1/vendor-accounts": {"get", "post"},
    "/api/v1/vendor-accounts/{vendor_account_id}": {"patch", "delete"},
    "/api/v1/bridges": {"get", "post"},
    "/api/v1/bridges/found": {"get"},
    "/api/v1/bridges/{bridge_id}": {"get", "patch", "delete"},
    "/api/v1/bridges/{bridge_id}/health": {"get"},
    "/api/v1/mowers/{mower_id}/geofence": {"get", "put", "delete"},
    "/api/v1/sites/{site_id}/geofence": {"get", "put", "delete"},
    "/api/v1/principals/{instance_id}": {"put"},
    "/api/v1/findings": {"get"},
    "/api/v1/events": {"get"},
    "/api/v1/bluetooth": {"get"},
}
"""Promised to those who lean on the API: it may grow, it does not shrink."""

ORDERS = {
    ("/api/v1/mowers/{mower_id}/commands", "post"),
    ("/api/v1/schedules", "post"),
    ("/api/v1/schedules/{schedule_id}/run-now", "post"),
}


@pytest.fixture(scope="module")
def described() -> dict[str, Any]:
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


def test_it_is_an_openapi_document(described: dict[str, Any]) -> None:
    validator = jsonschema_rs.Draft202012Validator(OPENAPI_31)
    assert [error.message for error in validator.iter_errors(described)] == []


def operations(described: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def test_nothing_promised_is_missing(described: dict[str, Any]) -> None:
    told = {path: set(methods) for path, methods in described["paths"].items()}
    assert {path: told.get(path, set()) & methods for path, methods in FIXED.items()} == FIXED


def test_every_operation_has_a_name_of_its_own(described: dict[str, Any]) -> None:
    names = [operation["operationId"] for _, _, operation in operations(described)]
    assert sorted(names) == sorted(set(names))


def test_orders_and_only_orders_need_a_key(described: dict[str, Any]) -> None:
    key = {"$ref": "#/components/parameters/Key"}
    assert {
        (path, method) for path, method, operation in operations(described) if key in operation["parameters"]
    } == ORDERS


def test_every_reference_leads_somewhere(described: dict[str, Any]) -> None:
    def references(value: object) -> Iterator[str]:
        if isinstance(value, dict):
            if "$ref" in value:
                yield value["$ref"]
            for item in value.values():
                yield from references(item)
        if isinstance(value, list):
            for item in value:
                yield from references(item)

    found = set(references(described))
    assert found
    for reference in found:
        _, components, kind, name = reference.split("/")
        assert name in described[components][kind]


def test_errors_have_the_one_form(described: dict[str, Any]) -> None:
    for path, _, operation in operations(described):
        for status, answer in operation["responses"].items():
            if int(status) >= 400:
                schema = answer["content"]["application/json"]["schema"]
                assert schema == {"$ref": "#/components/schemas/ErrorAnswer"}, path


def test_bodies_refuse_what_nobody_knows(described: dict[str, Any]) -> None:
    for path, _, operation in operations(described):
        if "requestBody" in operation:
            schema = operation["requestBody"]["content"]["application/json"]["schema"]
            body = described["components"]["schemas"][schema["$ref"].rsplit("/")[-1]]
            assert body["additionalProperties"] is False, path
