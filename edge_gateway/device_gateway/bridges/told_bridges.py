"""Which changes of a bridge are worth telling: numbers that tremble are not. Pure."""

from collections.abc import Iterable

from edge_gateway.contracts.bridges import Bridge, BridgeFinding

_SIGNAL_STEP_DB = 5.0
"""A signal that moved less is the same (design, Writes)."""


class ToldBridges:
    """How each bridge was when it was told of."""

    def __init__(self) -> None:
        """Begin with nothing told."""
        self._told: dict[str, tuple[object, float | None]] = {}

    def is_news(self, bridge: Bridge, findings: Iterable[BridgeFinding]) -> bool:
        """Tell whether a bridge is not as it was told."""
        facts, signal_dbm = _facts(bridge, findings), bridge.wifi_dbm
        told = self._told.get(bridge.id)
        if told is None or told[0] != facts:
            return True
        before = told[1]
        if before is None or signal_dbm is None:
            return before is not signal_dbm
        return abs(signal_dbm - before) >= _SIGNAL_STEP_DB

    def keep(self, bridge: Bridge, findings: Iterable[BridgeFinding]) -> None:
        """Hear that it was told."""
        self._told[bridge.id] = _facts(bridge, findings), bridge.wifi_dbm

    def forget(self, bridge_id: str) -> None:
        """Hear that a bridge is gone, or runs elsewhere."""
        self._told.pop(bridge_id, None)


def _facts(bridge: Bridge, findings: Iterable[BridgeFinding]) -> object:
    return (
        bridge.name,
        bridge.host,
        bridge.port,
        bridge.encrypted,
        bridge.expected_mac,
        bridge.status,
        bridge.esphome_version,
        bridge.slots,
        bridge.free_slots,
        frozenset(mower.vendor_key for mower in bridge.mowers),
        frozenset(finding.id for finding in findings),
    )
