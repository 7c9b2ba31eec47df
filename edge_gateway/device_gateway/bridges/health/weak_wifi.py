"""A bridge with weak Wi-Fi."""

from typing import override

from edge_gateway.contracts.bridges import BridgeCode
from edge_gateway.contracts.notifications import Severity
from edge_gateway.device_gateway.bridges.facts import BridgeFacts
from edge_gateway.device_gateway.bridges.health.check import Check, Trouble

WEAK_DBM = -75
GOOD_DBM = -70


class WeakWifiCheck(Check):
    """Its Wi-Fi shares the antenna with Bluetooth: both suffer."""

    code = BridgeCode.WEAK_WIFI
    severity = Severity.INFO

    @override
    def run(self, facts: BridgeFacts) -> Trouble | None:
        weak = facts.connected and facts.wifi_dbm is not None and facts.wifi_dbm < WEAK_DBM
        return {"wifi_dbm": facts.wifi_dbm} if weak else None

    @override
    def still_holds(self, facts: BridgeFacts) -> bool:
        return facts.wifi_dbm is not None and facts.wifi_dbm < GOOD_DBM
