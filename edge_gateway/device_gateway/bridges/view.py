"""How a bridge is shown: what is kept of it, and how it is where it runs here."""

from collections.abc import Iterable

from edge_gateway.contracts.bridges import Bridge, BridgeStatus, FoundBridge, NearMower
from edge_gateway.device_gateway.bridges.client import mac_of
from edge_gateway.device_gateway.bridges.facts import BridgeFacts, ConnectError
from edge_gateway.device_gateway.bridges.neighbourhood import Neighbourhood
from edge_gateway.device_gateway.bridges.repository import StoredBridge


def shown(stored: StoredBridge, neighbourhood: Neighbourhood) -> Bridge:
    """Return a bridge as it is told of."""
    running = neighbourhood.bridges.get(stored.id)
    facts = None if running is None else running.facts()
    return Bridge(
        id=stored.id,
        account_id=stored.account_id,
        name=stored.name,
        host=stored.host,
        port=stored.port,
        encrypted=stored.key_sealed is not None,
        expected_mac=stored.expected_mac,
        status=_status(facts),
        esphome_version=None if facts is None else facts.esphome_version,
        slots=None if facts is None else facts.slots,
        free_slots=None if facts is None else facts.free_slots,
        wifi_dbm=None if facts is None else facts.wifi_dbm,
        uptime_seconds=None if facts is None else facts.uptime_seconds,
        mowers=tuple(
            NearMower(
                vendor_key=name,
                signal_dbm=next(
                    (path.signal_dbm for path in neighbourhood.paths(name) if path.carrier_id == stored.id), None
                ),
            )
            for name in neighbourhood.names(stored.id)
        ),
        created_at=stored.created_at,
    )


def is_added(found: FoundBridge, stored: Iterable[StoredBridge]) -> bool:
    """Tell whether a device that tells of itself is one of these."""
    return any(
        (found.mac is not None and mac_of(found.mac) == mac_of(bridge.expected_mac))
        or (found.host, found.port) == (bridge.host, bridge.port)
        for bridge in stored
    )


def _status(facts: BridgeFacts | None) -> BridgeStatus:
    if facts is None:
        return BridgeStatus.ELSEWHERE
    if facts.connected:
        return BridgeStatus.CONNECTED
    refused = facts.connect_error not in {None, ConnectError.UNREACHABLE}
    return BridgeStatus.REFUSED if refused else BridgeStatus.CONNECTING
