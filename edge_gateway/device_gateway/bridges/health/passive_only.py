"""A bridge that cannot connect."""

from typing import override

from edge_gateway.contracts.bridges import BridgeCode
from edge_gateway.contracts.notifications import Severity
from edge_gateway.device_gateway.bridges.facts import BridgeFacts
from edge_gateway.device_gateway.bridges.health.check import Check, Trouble


class PassiveOnlyCheck(Check):
    """It hears mowers and cannot reach them: a Shelly, or a bridge without active connections in its configuration."""

    code = BridgeCode.PASSIVE_ONLY
    severity = Severity.WARNING

    @override
    def run(self, facts: BridgeFacts) -> Trouble | None:
        return {} if facts.connected and facts.can_connect is False else None
