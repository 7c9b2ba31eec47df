"""Parsed geofences: each mower's is parsed once per version."""

from edge_gateway.database.pools import Connection
from edge_gateway.notifications import repository
from edge_gateway.notifications.geofence import Geofence, of_drawn, of_map
from edge_gateway.notifications.repository import WatchRow


class Geofences:
    """Keeps the newest parsed geofence of each mower."""

    def __init__(self, *, margin_metres: float) -> None:
        """Start with none; the margin is that of geofences that are made of a map."""
        self._margin_metres = margin_metres
        self._parsed: dict[str, tuple[str, Geofence | None]] = {}

    async def of(self, connection: Connection, row: WatchRow) -> Geofence | None:
        """Return the geofence that counts for a mower; null when none is known."""
        mower_id, version = row.watch.mower_id, f"{row.site_id} {row.geofence_version}"
        known = self._parsed.get(mower_id)
        if known is not None and known[0] == version:
            return known[1]
        ground = await repository.read_ground(connection, row.watch.account_id, mower_id, row.site_id)
        if ground.drawn is not None:
            geofence: Geofence | None = of_drawn(ground.drawn)
        else:
            geofence = None if ground.map is None else of_map(ground.map, self._margin_metres)
        self._parsed[mower_id] = (version, geofence)
        return geofence
