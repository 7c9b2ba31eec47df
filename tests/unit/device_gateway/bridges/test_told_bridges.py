"""What of a bridge is worth telling."""

from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest

from edge_gateway.contracts.bridges import Bridge, BridgeCode, BridgeFinding, BridgeStatus
from edge_gateway.contracts.notifications import Severity
from edge_gateway.device_gateway.bridges.told_bridges import ToldBridges

NOW = datetime(2026, 5, 1, 7, tzinfo=UTC)
SHED = Bridge(
    id="b1",
    account_id="home",
    name="Shed",
    host="shed.local",
    port=6053,
    encrypted=True,
    status=BridgeStatus.CONNECTED,
    free_slots=3,
    wifi_dbm=-60.0,
    uptime_seconds=5.0,
    created_at=NOW,
)
DEAF = BridgeFinding(
    id="bridge_deaf:b1",
    bridge_id="b1",
    bridge_name="Shed",
    code=BridgeCode.DEAF,
    severity=Severity.WARNING,
    began_at=NOW,
)


@pytest.mark.parametrize(
    ("changes", "findings", "news"),
    [
        ({}, (), False),
        ({"uptime_seconds": 10.0}, (), False),
        ({"wifi_dbm": -64.0}, (), False),
        ({"wifi_dbm": -66.0}, (), True),
        ({"wifi_dbm": None}, (), True),
        ({"status": BridgeStatus.CONNECTING}, (), True),
        ({"free_slots": 2}, (), True),
        ({"name": "Barn"}, (), True),
        ({}, (DEAF,), True),
    ],
)
def test_what_matters_is_news_until_it_was_told(
    changes: dict[str, Any],
    findings: tuple[BridgeFinding, ...],
    news: bool,  # noqa: FBT001  # given by name
) -> None:
    told = ToldBridges()
    assert told.is_news(SHED, ())
    told.keep(SHED, ())
    bridge = msgspec.structs.replace(SHED, **changes)
    assert told.is_news(bridge, findings) is news
    told.keep(bridge, findings)
    assert not told.is_news(bridge, findings)
    told.forget("b1")
    assert told.is_news(bridge, findings)
