"""Firmware to avoid."""

import re
from typing import override

from edge_gateway.contracts.bridges import BridgeCode
from edge_gateway.contracts.notifications import Severity
from edge_gateway.device_gateway.bridges.facts import BridgeFacts
from edge_gateway.device_gateway.bridges.health.check import Check, Trouble

OLDEST = (2026, 7)
"""Before it, a session that was cut off kept the bridge's advertisements for minutes, and the mower's slot."""
BROKEN = frozenset({(2026, 8, 0)})
"""Loses links after some seconds on many boards (esphome/esphome#18614)."""
_VERSION = re.compile(r"(\d+)\.(\d+)(?:\.(\d+))?")


class FirmwareCheck(Check):
    """A version of ESPHome that is known for losing or keeping connections."""

    code = BridgeCode.BAD_FIRMWARE
    severity = Severity.WARNING

    @override
    def run(self, facts: BridgeFacts) -> Trouble | None:
        found = _VERSION.match(facts.esphome_version or "")
        if found is None:
            return None
        year, month, patch = int(found[1]), int(found[2]), int(found[3] or 0)
        if (year, month) < OLDEST or (year, month, patch) in BROKEN:
            return {"version": facts.esphome_version}
        return None
