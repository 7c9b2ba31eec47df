"""Every code of a bridge has a sentence and a remedy."""

from typing import Any

import pytest

from edge_gateway.api.bridge_sentences import detail_of, remedy_of
from edge_gateway.contracts.bridges import BridgeCode

VALUES: dict[BridgeCode, dict[str, Any]] = {
    BridgeCode.BAD_FIRMWARE: {"version": "2026.8.0"},
    BridgeCode.NO_SLOTS: {"slots": 3},
    BridgeCode.WEAK_WIFI: {"wifi_dbm": -80.4},
    BridgeCode.STOLEN: {"thief": "Home Assistant"},
}


@pytest.mark.parametrize("code", BridgeCode)
def test_a_finding_is_a_sentence_that_names_the_bridge(code: BridgeCode) -> None:
    sentence = detail_of(code, "shed", VALUES.get(code, {}))
    assert "shed" in sentence
    assert sentence.endswith(".")
    assert "{" not in sentence
    assert remedy_of(code).endswith(".")
