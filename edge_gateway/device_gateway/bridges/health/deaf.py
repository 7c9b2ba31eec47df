"""A bridge that hears nothing."""

from typing import override

from edge_gateway.contracts.bridges import BridgeCode
from edge_gateway.contracts.notifications import Severity
from edge_gateway.device_gateway.bridges.facts import BridgeFacts
from edge_gateway.device_gateway.bridges.health.check import Check, Trouble


class DeafCheck(Check):
    """It is connected and answers, and its scanner hears nothing; it is restarted once an hour."""

    code = BridgeCode.DEAF
    severity = Severity.WARNING

    @override
    def run(self, facts: BridgeFacts) -> Trouble | None:
        return {} if facts.connected and facts.deaf and not facts.stolen else None

    @override
    def still_holds(self, facts: BridgeFacts) -> bool:
        # While it restarts nobody knows; it is over when something is heard.
        return facts.deaf or not facts.connected
