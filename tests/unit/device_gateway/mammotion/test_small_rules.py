"""Availability, redaction, what the library's models mean before anything was told."""

import json
import logging
from datetime import UTC, datetime

import msgspec
import pytest
from pymammotion.data.model.device import MowerDevice

from edge_gateway.device_gateway.mammotion.availability import LinkFacts, availability_of
from edge_gateway.device_gateway.mammotion.redaction import RedactionFilter, redact
from edge_gateway.device_gateway.mammotion.route_settings import Limits
from edge_gateway.device_gateway.mammotion.vendor_words import (
    is_mower,
    read_limits,
    read_map,
    read_settings,
    read_state,
    remembered_mowers,
)
from tests.unit.device_gateway.mammotion.readings import NOON

REACHED = {"connected": True, "heard_at": datetime(2026, 6, 1, tzinfo=UTC)}


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        (REACHED, None),
        ({**REACHED, "connected": False}, "link_lost"),
        ({**REACHED, "cloud_says_offline": True}, "vendor_offline"),
        ({**REACHED, "silent": True}, "silent"),
        ({**REACHED, "asleep": True, "cloud_says_offline": True, "silent": True}, None),
        ({**REACHED, "registered": False}, "vendor_removed"),
        ({**REACHED, "account_problem": "account_rejected"}, "account_rejected"),
    ],
)
def test_a_mower_is_reached_or_the_reason_is_told(facts: dict[str, bool], reason: str | None) -> None:
    found = availability_of(LinkFacts(**facts))  # type: ignore[arg-type]  # a table of fields
    assert (found.available, found.reason) == (reason is None, reason)
    assert found.links[0].connected is (reason is None)


@pytest.mark.parametrize(
    "text",
    [
        "GET https://id.example/oauth2/token?username=a%40b.c&password=c2VjcmV0&grant_type=password",
        "https://id.example/oauth2/token?grant_type=refresh_token&refresh_token=c2VjcmV0",
        '{"accessToken": "c2VjcmV0", "code": 0}',
        "Authorization: Bearer c2VjcmV0",
        "jwt=eyJhbGciOiJIUzI1NiJ9.eyJjMlZqY21WMCI6MX0.c2VjcmV0",
        "Re-login: password='c2VjcmV0'",
    ],
)
def test_secrets_are_taken_out_of_a_text(text: str) -> None:
    assert "c2VjcmV0" not in redact(text)
    assert "<hidden>" in redact(text)


def test_a_traceback_is_redacted_too() -> None:
    try:
        raise ValueError("url='https://id.example/oauth2/token?password=c2VjcmV0'")  # noqa: TRY301  # to be logged
    except ValueError as error:
        record = logging.LogRecord(
            "x", logging.WARNING, "f", 1, "failed for %s", ("a",), (ValueError, error, error.__traceback__)
        )
    RedactionFilter().filter(record)
    text = logging.Formatter().format(record)
    assert "failed for a" in text
    assert "ValueError" in text
    assert "c2VjcmV0" not in text


def test_before_anything_was_told_everything_is_null() -> None:
    told = read_state(MowerDevice(name="Luba-VP1"), observed_at=NOON, reported=False)
    known = {name: getattr(told, name) for name in told.__struct_fields__ if getattr(told, name) not in (None, ())}
    assert known == {"observed_at": NOON}


def test_single_values_do_not_tell_the_charger_s_contact() -> None:
    device = MowerDevice(name="Luba-VP1")
    device.report_data.dev.sys_status = 11
    device.report_data.dev.battery_val = 80
    told = read_state(device, observed_at=NOON, reported=False)
    assert (told.mode, told.battery_percent, told.charge_state) == (11, 80, None)


def test_an_empty_map_is_not_a_complete_one() -> None:
    known = read_map(MowerDevice(name="Luba-VP1"))
    assert not known.complete
    assert known.dock is None


def test_limits_that_the_library_only_guesses_do_not_count() -> None:
    device = MowerDevice(name="Luba-VP1")
    device.mower_state.product_key = "unheard-of"
    assert msgspec.structs.replace(read_limits(device), detections={}) == Limits()
    assert read_limits(device).detections == {"off": 1, "standard": 10, "sensitive": 11}
    device.mower_state.sub_model_id = "7"
    assert read_limits(device).blade_height_mm == (25, 70)


def test_no_settings_are_known_before_a_job_was_told() -> None:
    assert read_settings(MowerDevice(name="Luba-VP1")) is None


@pytest.mark.parametrize(
    ("name", "mower"), [("Luba-VP1", True), ("Yuka-1", True), ("RTK1234", False), ("Spino-S1", False)]
)
def test_base_stations_and_pool_cleaners_are_no_mowers(name: str, *, mower: bool) -> None:
    assert is_mower(name, "") is mower


def test_the_mowers_of_a_kept_login_are_known_without_asking() -> None:
    records = [{"device_name": "Luba-VP1", "product_key": "k"}, {"device_name": "RTK1"}]
    tokens = json.dumps({"mammotion_device_records": {"records": records}})
    assert remembered_mowers(tokens) == (("Luba-VP1", "k"),)
    assert remembered_mowers("{}") == ()
