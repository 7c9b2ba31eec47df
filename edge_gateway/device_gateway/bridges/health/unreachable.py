"""A bridge that is not there."""

from typing import override

from edge_gateway.contracts.bridges import BridgeCode
from edge_gateway.contracts.notifications import Severity
from edge_gateway.device_gateway.bridges.facts import BridgeFacts, ConnectError
from edge_gateway.device_gateway.bridges.health.check import Check, Trouble

GRACE_SECONDS = 60.0
"""A bridge that restarts, or a router that does, is back by then."""


class UnreachableCheck(Check):
    """No connection for some time, and nobody said why."""

    code = BridgeCode.UNREACHABLE
    severity = Severity.WARNING

    @override
    def run(self, facts: BridgeFacts) -> Trouble | None:
        away = not facts.connected and facts.connect_error in {None, ConnectError.UNREACHABLE}
        return {} if away and facts.unconnected_seconds >= GRACE_SECONDS else None
