"""Whoever is refused something in Home Assistant reads why in their language: each code has its text there."""

import ast
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from edge_gateway.contracts.errors import ConfigurationError
from edge_gateway.scheduler.sentences import _SIMPLE, _SPECIAL
from scripts.set_up.places import ROOT
from tests.unit.integration_client.loading import FOLDER

CODE = re.compile(r"[a-z]+(_[a-z]+)*")
SERVICES = ("api", "bus", "contracts", "database", "device_gateway", "fleet", "notifications", "scheduler", "telemetry")

OF_PROGRAMS = frozenset(
    {
        "answer_unreadable",
        "api_version_malformed",
        "api_version_unsupported",
        "bad_request",
        "body_incomplete",
        "body_unreadable",
        "event_too_large",
        "header_repeated",
        "hello_missing",
        "instance_changed",
        "key_malformed",
        "key_missing",
        "key_reused",
        "malformed_json",
        "no_such_method",
        "no_such_path",
        "origin_unknown",
        "principal_malformed",
        "principal_missing",
        "request_too_large",
        "session_over",
        "token_missing",
        "token_wrong",
        "too_large",
        "websocket_needed",
    }
)
"""What a program does wrong; the client is held to the API's document, and asks for its token by itself."""

OF_THE_LOG = frozenset(
    {
        "empty_set",
        "nobody_manages",
        "revision_not_newer",
        "too_many_instances",
        "too_many_lenders",
        "too_many_readers",
    }
)
"""What the integration does by itself; its log has the gateway's sentence."""

NOT_OFFERED = frozenset(
    {
        "default_site",
        "invalid_value",
        "missing",
        "not_allowed",
        "out_of_range",
        "plan_gone",
        "read_only",
        "service_principal",
        "site_has_mowers",
        "unknown_provider",
        "unknown_setting",
    }
)
"""What only the API can be asked for: deleted sites, settings of mowers, zones, pages of another length."""

OF_OTHER_CODES = frozenset({"expired", "forbidden", "invalid", "late", "link_lost", "silent", "unknown_principal"})
"""What an order ends with as `unavailable` or as expired, and what has a text under a name that says more."""


def called(node: ast.Call) -> str:
    """Return the name of what is called, without what it is called on."""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def codes() -> Iterator[tuple[str, str]]:
    """Return each code that the services can answer, or end an order with, and the file that does."""
    for path in sorted(path for name in SERVICES for path in (ROOT / "edge_gateway" / name).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = called(node)
            an_error = name.endswith("Error") and name != ConfigurationError.__name__
            given = node.args[:1] if an_error or name == "__init__" else []
            if an_error or name in {"Refused", "Failure"}:
                given += [keyword.value for keyword in node.keywords if keyword.arg in {"code", "reason"}]
            for value in given:
                if isinstance(value, ast.Constant) and CODE.fullmatch(str(value.value)):
                    yield str(value.value), path.name


@pytest.mark.parametrize("tag", ["en", "de"])
def test_each_refusal_that_a_person_can_meet_has_a_text_of_its_own(tag: str) -> None:
    texts: dict[str, Any] = json.loads((FOLDER / "translations" / f"{tag}.json").read_text(encoding="utf-8"))
    said = set(texts["exceptions"])
    in_flows = {code for flow in texts["config_subentries"].values() for code in flow["error"]}
    unmet = OF_PROGRAMS | OF_THE_LOG | NOT_OFFERED | OF_OTHER_CODES
    known = dict(codes())
    missing = {
        f"{code} ({file})"
        for code, file in known.items()
        if not said & {f"refused_{code}", f"order_{code}"} and code not in in_flows | unmet
    }
    assert not missing, f"Give a text to, or say in this file why nobody meets: {', '.join(sorted(missing))}"
    gone = unmet - known.keys()
    assert not gone, f"The gateway has no such code any more: {', '.join(sorted(gone))}"


@pytest.mark.parametrize("tag", ["en", "de"])
def test_each_reason_of_a_run_has_words(tag: str) -> None:
    texts: dict[str, Any] = json.loads((FOLDER / "translations" / f"{tag}.json").read_text(encoding="utf-8"))
    of_orders = {"blade_height_unknown", "internal", "invalid_pattern"}
    entity = texts["entity"]
    for kind, name in (("sensor", "last_outcome"), ("sensor", "last_run"), ("event", "run")):
        words = entity[kind][name]["state_attributes"]["reason"]["state"]
        missing = {*_SIMPLE, *_SPECIAL, *of_orders} - words.keys()
        assert not missing, f"{name}: {', '.join(sorted(missing))}"
