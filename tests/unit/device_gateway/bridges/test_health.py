"""Every check of a bridge's health: when it begins, when it is over."""

from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from edge_gateway.contracts.bridges import BridgeCode
from edge_gateway.device_gateway.bridges.facts import BridgeFacts, ConnectError
from edge_gateway.device_gateway.bridges.health import CHECKS
from edge_gateway.device_gateway.bridges.health.book import HealthBook

NOW = datetime(2026, 5, 1, 9, 0, tzinfo=UTC)
WELL = BridgeFacts(
    connected=True,
    name="shed",
    esphome_version="2026.10.0",
    can_connect=True,
    subscribed=True,
    connected_seconds=600,
    silent_seconds=1,
    slots=3,
    free_slots=2,
    uptime_seconds=3600,
    wifi_dbm=-60,
)
AWAY = BridgeFacts(connect_error=ConnectError.UNREACHABLE, unconnected_seconds=90)


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (AWAY, BridgeCode.UNREACHABLE),
        (BridgeFacts(connect_error=ConnectError.WRONG_KEY, key_errors=2), BridgeCode.WRONG_KEY),
        (BridgeFacts(connect_error=ConnectError.NEEDS_KEY), BridgeCode.WRONG_KEY),
        (BridgeFacts(connect_error=ConnectError.NOT_ENCRYPTED), BridgeCode.WRONG_KEY),
        (BridgeFacts(connect_error=ConnectError.WRONG_DEVICE), BridgeCode.WRONG_DEVICE),
        (msgspec.structs.replace(WELL, esphome_version="2026.8.0"), BridgeCode.BAD_FIRMWARE),
        (msgspec.structs.replace(WELL, esphome_version="2026.6.5"), BridgeCode.BAD_FIRMWARE),
        (msgspec.structs.replace(WELL, can_connect=False), BridgeCode.PASSIVE_ONLY),
        (msgspec.structs.replace(WELL, stolen=True, thief="Home Assistant"), BridgeCode.STOLEN),
        (msgspec.structs.replace(WELL, subscribed=False), BridgeCode.STOLEN),
        (msgspec.structs.replace(WELL, deaf=True), BridgeCode.DEAF),
        (msgspec.structs.replace(WELL, restarts=1), BridgeCode.RESTARTED),
        (msgspec.structs.replace(WELL, free_slots=0, refused_for_slots=True), BridgeCode.NO_SLOTS),
        (msgspec.structs.replace(WELL, wifi_dbm=-80), BridgeCode.WEAK_WIFI),
    ],
)
def test_what_is_wrong_begins_alone_and_is_over(wrong: BridgeFacts, code: BridgeCode) -> None:
    book = HealthBook()
    book.look("b", "shed", wrong, now=NOW)
    (finding,) = book.findings(["b"])
    assert (finding.code, finding.began_at) == (code, NOW)
    book.look("b", "shed", wrong, now=NOW + timedelta(minutes=1))
    assert book.findings(["b"]) == (finding,)
    assert book.findings(["another"]) == ()
    book.look("b", "shed", WELL, now=NOW + timedelta(minutes=2))
    assert book.findings(["b"]) == ()


@pytest.mark.parametrize(
    "facts",
    [
        WELL,
        BridgeFacts(connect_error=ConnectError.UNREACHABLE, unconnected_seconds=10),
        BridgeFacts(connect_error=ConnectError.WRONG_KEY, key_errors=1),
        msgspec.structs.replace(WELL, free_slots=0),
        msgspec.structs.replace(WELL, subscribed=False, connected_seconds=5),
        msgspec.structs.replace(WELL, esphome_version=None, wifi_dbm=None, can_connect=None),
    ],
)
def test_what_may_be_nothing_is_not_told(facts: BridgeFacts) -> None:
    book = HealthBook()
    book.look("b", "shed", facts, now=NOW)
    assert book.findings(["b"]) == ()


def test_weak_wifi_is_over_only_when_it_is_good() -> None:
    book = HealthBook()
    for dbm, wrong in ((-80, True), (-73, True), (-68, False)):
        book.look("b", "shed", msgspec.structs.replace(WELL, wifi_dbm=dbm), now=NOW)
        assert bool(book.findings(["b"])) is wrong


def test_there_is_one_check_for_each_code() -> None:
    assert sorted(check.code for check in CHECKS) == sorted(BridgeCode)
