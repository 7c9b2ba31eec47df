"""A bridge that begins anew by itself."""

from typing import override

from edge_gateway.contracts.bridges import BridgeCode
from edge_gateway.contracts.notifications import Severity
from edge_gateway.device_gateway.bridges.facts import BridgeFacts
from edge_gateway.device_gateway.bridges.health.check import Check, Trouble


class RestartsCheck(Check):
    """Its uptime fell although nobody restarted it: a weak power supply, or too much on the chip."""

    code = BridgeCode.RESTARTED
    severity = Severity.INFO

    @override
    def run(self, facts: BridgeFacts) -> Trouble | None:
        return {"restarts": facts.restarts} if facts.restarts else None
