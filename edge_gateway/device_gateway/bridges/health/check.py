"""What a health check is. Pure."""

from typing import Any, Protocol

from edge_gateway.contracts.bridges import BridgeCode
from edge_gateway.contracts.notifications import Severity
from edge_gateway.device_gateway.bridges.facts import BridgeFacts

type Trouble = dict[str, Any]
"""The numbers and codes behind a finding; may be empty."""


class Check(Protocol):
    """Looks for one thing that can be wrong."""

    code: BridgeCode
    severity: Severity

    def run(self, facts: BridgeFacts) -> Trouble | None:
        """Return what is wrong, null when nothing is."""
        ...

    def still_holds(self, facts: BridgeFacts) -> bool:
        """Tell whether what was found is still so; it may take more to be over than it took to begin."""
        return self.run(facts) is not None
