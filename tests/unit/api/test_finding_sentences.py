"""Every code has a sentence and a remedy, also with numbers that the rules may leave out."""

from typing import Any

import pytest

from edge_gateway.api.finding_sentences import detail_of, remedy_of
from edge_gateway.contracts.notifications import NotificationCode

SENTENCES: list[tuple[NotificationCode, dict[str, Any], str]] = [
    (NotificationCode.ERROR, {"problem_code": "lifted"}, "The mower was lifted."),
    (NotificationCode.ERROR, {"problem_code": "vendor_7"}, "The mower reports a problem (vendor_7)."),
    (NotificationCode.STUCK, {"source": "reported"}, "The mower is stuck."),
    (
        NotificationCode.STUCK,
        {"source": "standstill", "seconds": 660},
        "The mower has been mowing on one spot for 11 minutes.",
    ),
    (NotificationCode.OFFLINE, {"reason": "silent"}, "The mower is not reached (silent)."),
    (NotificationCode.OFFLINE, {"reason": None}, "The mower is not reached."),
    (
        NotificationCode.BATTERY_LOW,
        {"battery_percent": 7},
        "The battery is at 7 % and the mower is not on its dock.",
    ),
    (
        NotificationCode.LEFT_GEOFENCE,
        {"metres_outside": 41.3, "latitude": 52.0, "longitude": 13.0},
        "The mower is 41 m outside its garden and did not drive there itself.",
    ),
    (
        NotificationCode.BLADE_WORN,
        {"blade_seconds": 360_000.0, "blade_life_seconds": 360_000.0},
        "The blades have been used for 100 hours.",
    ),
    (
        NotificationCode.RESUMED_BY_ITSELF,
        {"command_id": "c", "kind": "pause"},
        "The mower went on with its job although it was told to stop.",
    ),
]


@pytest.mark.parametrize(("code", "values", "sentence"), SENTENCES)
def test_a_finding_is_a_sentence(code: NotificationCode, values: dict[str, Any], sentence: str) -> None:
    assert detail_of(code, values) == sentence


def test_every_code_has_a_sentence_and_a_remedy() -> None:
    assert {code for code, _, _ in SENTENCES} == set(NotificationCode)
    assert all(remedy_of(code).endswith(".") for code in NotificationCode)
