"""A bridge with another key than the one that is known."""

from typing import override

from edge_gateway.contracts.bridges import BridgeCode
from edge_gateway.contracts.notifications import Severity
from edge_gateway.device_gateway.bridges.facts import BridgeFacts, ConnectError
from edge_gateway.device_gateway.bridges.health.check import Check, Trouble

CERTAIN = 2
"""Once may be bad Wi-Fi."""
_KEY = frozenset({ConnectError.WRONG_KEY, ConnectError.NEEDS_KEY, ConnectError.NOT_ENCRYPTED})


class WrongKeyCheck(Check):
    """The bridge refused the key twice in a row, wants one, or has lost its own; plaintext is never tried instead."""

    code = BridgeCode.WRONG_KEY
    severity = Severity.WARNING

    @override
    def run(self, facts: BridgeFacts) -> Trouble | None:
        if facts.connected or facts.connect_error not in _KEY:
            return None
        if facts.connect_error is ConnectError.WRONG_KEY and facts.key_errors < CERTAIN:
            return None
        return {"reason": str(facts.connect_error)}

    @override
    def still_holds(self, facts: BridgeFacts) -> bool:
        # Until it is connected: what keeps it away now may be another thing, and the key be wrong still.
        return not facts.connected
