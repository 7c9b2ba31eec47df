"""What is wrong with each bridge, since when."""

from collections.abc import Iterable
from datetime import datetime

import structlog

from edge_gateway.contracts.bridges import BridgeFinding
from edge_gateway.device_gateway.bridges.facts import BridgeFacts
from edge_gateway.device_gateway.bridges.health import CHECKS
from edge_gateway.device_gateway.bridges.health.check import Check

_log = structlog.get_logger(__name__)


class HealthBook:
    """The findings of all bridges."""

    def __init__(self, checks: Iterable[Check] = CHECKS) -> None:
        """Begin with nothing wrong."""
        self._checks = tuple(checks)
        self._findings: dict[tuple[str, str], BridgeFinding] = {}

    def look(self, bridge_id: str, name: str, facts: BridgeFacts, *, now: datetime) -> None:
        """Run every check on a bridge's facts."""
        for check in self._checks:
            key = (bridge_id, str(check.code))
            known = self._findings.get(key)
            if known is not None and not check.still_holds(facts):
                del self._findings[key]
                _log.info("bridge is well again", bridge=bridge_id, code=str(check.code))
            trouble = check.run(facts) if known is None else None
            if trouble is not None:
                _log.warning("bridge is not well", bridge=bridge_id, code=str(check.code), **trouble)
                self._findings[key] = BridgeFinding(
                    id=f"{check.code}:{bridge_id}",
                    bridge_id=bridge_id,
                    bridge_name=name,
                    code=check.code,
                    severity=check.severity,
                    began_at=now,
                    values=trouble,
                )

    def forget(self, bridge_id: str) -> None:
        """Hear that a bridge is gone."""
        self._findings = {key: finding for key, finding in self._findings.items() if key[0] != bridge_id}

    def findings(self, bridge_ids: Iterable[str]) -> tuple[BridgeFinding, ...]:
        """Return what is wrong with these bridges, the longest-standing first."""
        wanted = set(bridge_ids)
        found = [finding for finding in self._findings.values() if finding.bridge_id in wanted]
        return tuple(sorted(found, key=lambda finding: (finding.began_at, finding.id)))
