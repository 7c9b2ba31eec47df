"""A bridge without a free connection."""

from typing import override

from edge_gateway.contracts.bridges import BridgeCode
from edge_gateway.contracts.notifications import Severity
from edge_gateway.device_gateway.bridges.facts import BridgeFacts
from edge_gateway.device_gateway.bridges.health.check import Check, Trouble


class SlotsCheck(Check):
    """A mower was to be connected, and every connection is in use."""

    code = BridgeCode.NO_SLOTS
    severity = Severity.WARNING

    @override
    def run(self, facts: BridgeFacts) -> Trouble | None:
        return {"slots": facts.slots} if facts.free_slots == 0 and facts.refused_for_slots else None
