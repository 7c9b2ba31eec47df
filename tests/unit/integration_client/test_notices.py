"""Whatever Notifications can tell has its words in Home Assistant: as a notice, and as what is wrong."""

import json
from pathlib import Path
from typing import Any

import pytest

from edge_gateway.contracts.notifications import NotificationCode, Severity

_TRANSLATIONS = Path(__file__).parents[3] / "custom_components" / "mowdeck" / "translations"


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_code_has_its_words(language: str) -> None:
    texts: dict[str, Any] = json.loads((_TRANSLATIONS / f"{language}.json").read_text())
    attributes = texts["entity"]["event"]["notices"]["state_attributes"]
    assert set(NotificationCode) - attributes["event_type"]["state"].keys() == set()
    assert attributes["severity"]["state"].keys() == set(Severity)
    assert {f"finding_{code}" for code in NotificationCode} - texts["issues"].keys() == set()
