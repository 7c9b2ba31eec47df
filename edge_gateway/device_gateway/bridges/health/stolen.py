"""A bridge whose advertisements go to somebody else."""

from typing import override

from edge_gateway.contracts.bridges import BridgeCode
from edge_gateway.contracts.notifications import Severity
from edge_gateway.device_gateway.bridges.facts import BridgeFacts
from edge_gateway.device_gateway.bridges.health.check import Check, Trouble

UNSUBSCRIBED_SECONDS = 20.0
"""For so long the first subscriber's session may just be ending (firmware before 2026.7 turns the second away)."""


class StolenCheck(Check):
    """Another program, usually Home Assistant, uses the same bridge: it serves one at a time."""

    code = BridgeCode.STOLEN
    severity = Severity.WARNING

    @override
    def run(self, facts: BridgeFacts) -> Trouble | None:
        turned_away = facts.connected and not facts.subscribed and facts.connected_seconds >= UNSUBSCRIBED_SECONDS
        if not facts.stolen and not turned_away:
            return None
        return {} if facts.thief is None else {"thief": facts.thief}
