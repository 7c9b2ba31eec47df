"""Another device at a bridge's address."""

from typing import override

from edge_gateway.contracts.bridges import BridgeCode
from edge_gateway.contracts.notifications import Severity
from edge_gateway.device_gateway.bridges.facts import BridgeFacts, ConnectError
from edge_gateway.device_gateway.bridges.health.check import Check, Trouble


class WrongDeviceCheck(Check):
    """The router gave the address to another device; nothing is sent to that one."""

    code = BridgeCode.WRONG_DEVICE
    severity = Severity.WARNING

    @override
    def run(self, facts: BridgeFacts) -> Trouble | None:
        return {} if not facts.connected and facts.connect_error is ConnectError.WRONG_DEVICE else None
