"""The openapi document, made from the same table as the router."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any, TypeAliasType, get_args

import msgspec

from edge_gateway import __version__
from edge_gateway.api.authentication import (
    KEY_HEADER,
    ORIGIN_HEADER,
    ORIGINS,
    VERSION_HEADER,
    VERSION_MAXIMUM,
    VERSION_MINIMUM,
)
from edge_gateway.api.endpoints import AnyEndpoint, NoBody
from edge_gateway.api.errors import (
    BadRequestError,
    ErrorAnswer,
    RequestTimeoutError,
    TooLargeError,
    UnauthenticatedError,
)
from edge_gateway.contracts.bluetooth_lending import Said, Told
from edge_gateway.contracts.errors import DeadlineError, ForbiddenError, InvalidError, UnavailableError
from edge_gateway.contracts.identifiers import IDENTIFIER_PATTERN
from edge_gateway.contracts.principals import PRINCIPAL_HEADER, PRINCIPAL_NAME_PATTERN
from edge_gateway.contracts.views import Change, Hello, Snapshot

PREFIX = "/api/v1"

EVERYWHERE = (BadRequestError, UnauthenticatedError, ForbiddenError, InvalidError, UnavailableError, DeadlineError)
"""What every route may answer."""

_EVENTS = (Hello, Snapshot, Change)
_LENDING = "Lending"
"""What the names of the messages about lent Bluetooth begin with: there is another hello."""
_REFERENCE = "#/components/schemas/{name}"

type SchemaKey = tuple[type[msgspec.Struct], str]
"""A struct, or one query parameter of it."""

type Schemas = dict[SchemaKey, dict[str, Any]]


def document(endpoints: Sequence[AnyEndpoint]) -> dict[str, Any]:
    """Return the openapi document of these routes."""
    types: dict[SchemaKey, Any] = {(kind, ""): kind for kind in (ErrorAnswer, *_EVENTS)}
    for endpoint in endpoints:
        types |= {(kind, ""): kind for kind in (endpoint.answer, endpoint.body) if kind not in (None, NoBody)}
        types |= {(endpoint.query, field.encode_name): field.type for field in msgspec.structs.fields(endpoint.query)}
    schemas, components = msgspec.json.schema_components(types.values(), ref_template=_REFERENCE)
    by_key: Schemas = dict(zip(types, schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for endpoint in endpoints:
        paths.setdefault(PREFIX + endpoint.path, {})[endpoint.method.lower()] = _operation(endpoint, by_key)
    paths[f"{PREFIX}/events"] = {"get": _events()}
    paths[f"{PREFIX}/bluetooth"] = {"get": _bluetooth()}
    return {
        "openapi": "3.1.0",
        "info": {"title": "MowDeck", "version": __version__},
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": components | _lending_messages(),
            "parameters": _headers(),
        },
    }


def _operation(endpoint: AnyEndpoint, by_key: Schemas) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": _operation_id(endpoint),
        "summary": endpoint.summary,
        "tags": [endpoint.tag],
        "parameters": _parameters(endpoint, by_key),
        "responses": _responses(endpoint, by_key),
    }
    if endpoint.body is not NoBody:
        operation["requestBody"] = {
            "required": not endpoint.body_optional,
            "content": {"application/json": {"schema": by_key[endpoint.body, ""]}},
        }
    return operation


def _operation_id(endpoint: AnyEndpoint) -> str:
    words = [word for word in endpoint.path.replace("-", "_").split("/") if word and not word.startswith("{")]
    one = "_one" if endpoint.path.endswith("}") else ""
    return f"{endpoint.method.lower()}_{'_'.join(words)}{one}"


def _parameters(endpoint: AnyEndpoint, by_key: Schemas) -> list[dict[str, Any]]:
    names = ["Principal", "Origin"] + ([] if endpoint.any_version else ["Version"]) + ["Key"] * endpoint.orders
    parameters: list[dict[str, Any]] = [{"$ref": f"#/components/parameters/{name}"} for name in names]
    parameters += [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": {"type": "string", "pattern": f"^{IDENTIFIER_PATTERN}$"},
        }
        for name in endpoint.path_names
    ]
    for field in msgspec.structs.fields(endpoint.query):
        schema = _without_null(by_key[endpoint.query, field.encode_name])
        if field.default is not msgspec.NODEFAULT and field.default is not None:
            schema = {**schema, "default": field.default}
        parameters.append({"name": field.encode_name, "in": "query", "required": field.required, "schema": schema})
    return parameters


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a query parameter: it is there or not, and never null."""
    choices = [choice for choice in schema.get("anyOf", ()) if choice != {"type": "null"}]
    return choices[0] if len(choices) == 1 else schema


def _responses(endpoint: AnyEndpoint, by_key: Schemas) -> dict[str, Any]:
    answer: dict[str, Any] = {"description": HTTPStatus(endpoint.status).phrase}
    if endpoint.answer is not None:
        answer["content"] = {"application/json": {"schema": by_key[endpoint.answer, ""]}}
    if endpoint.downloads:
        answer["content"] = {kind: {"schema": {"type": "string"}} for kind in endpoint.downloads}
    responses = {str(endpoint.status): answer}
    of_bodies = (TooLargeError, RequestTimeoutError) if endpoint.body is not NoBody else ()
    statuses = {error.status for error in (*EVERYWHERE, *endpoint.raises, *of_bodies)}
    if endpoint.path_names:
        statuses.add(HTTPStatus.NOT_FOUND)
    for status in sorted(statuses):
        responses[str(status)] = {
            "description": HTTPStatus(status).phrase,
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorAnswer"}}},
        }
    return responses


def _events() -> dict[str, Any]:
    return {
        "operationId": "events",
        "summary": "WebSocket: Hello, Snapshot unless the cursor was known, then Changes, each once and in order",
        "tags": ["events"],
        "parameters": [
            {"$ref": "#/components/parameters/Principal"},
            {"$ref": "#/components/parameters/Version"},
            {"name": "cursor", "in": "query", "required": False, "schema": {"type": "string"}},
        ],
        "responses": {"101": {"description": "Switching Protocols; messages: Hello, Snapshot, Change"}},
        "x-messages": [_REFERENCE.format(name=kind.__name__) for kind in _EVENTS],
    }


def _lending_messages() -> dict[str, Any]:
    template = _REFERENCE.format(name=f"{_LENDING}{{name}}")
    _, components = msgspec.json.schema_components([Said, Told], ref_template=template)
    return {f"{_LENDING}{name}": schema for name, schema in components.items()}


def _bluetooth() -> dict[str, Any]:
    def messages(union: TypeAliasType) -> list[str]:
        return [_REFERENCE.format(name=f"{_LENDING}{kind.__name__}") for kind in get_args(union.__value__)]

    return {
        "operationId": "bluetooth",
        "summary": "WebSocket: Home Assistant lends its Bluetooth; its first message is a LendingHello",
        "tags": ["bluetooth"],
        "parameters": [
            {"$ref": "#/components/parameters/Principal"},
            {"$ref": "#/components/parameters/Version"},
        ],
        "responses": {
            "101": {
                "description": "Switching Protocols; a message that is wrong is answered with LendingRefused, and 1008"
            }
        },
        "x-messages": messages(Told),
        "x-messages-of-the-client": messages(Said),
    }


def _headers() -> dict[str, Any]:
    return {
        "Principal": {
            "name": PRINCIPAL_HEADER,
            "in": "header",
            "required": True,
            "description": "For whom the request acts.",
            "schema": {"type": "string", "pattern": f"^(user|service):{PRINCIPAL_NAME_PATTERN}$"},
        },
        "Origin": {
            "name": ORIGIN_HEADER,
            "in": "header",
            "required": False,
            "description": "From where it came; `api` when it is not said.",
            "schema": {"enum": [origin.value for origin in ORIGINS]},
        },
        "Version": {
            "name": VERSION_HEADER,
            "in": "header",
            "required": False,
            "description": "The version of the API that the client speaks.",
            "schema": {"type": "integer", "minimum": VERSION_MINIMUM, "maximum": VERSION_MAXIMUM},
        },
        "Key": {
            "name": KEY_HEADER,
            "in": "header",
            "required": True,
            "description": "The caller's own key of this order; repeat it when the request is repeated.",
            "schema": {"type": "string", "pattern": "^[!-~]([ -~]{0,198}[!-~])?$"},
        },
    }
