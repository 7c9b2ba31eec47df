"""What was last heard of each mower, in memory: fed by live events, read by lists, snapshots and changes."""

from collections.abc import Iterable

from edge_gateway.api.mower_views import merge
from edge_gateway.contracts.fleet import MowerReply
from edge_gateway.contracts.mower import MowerAvailability, MowerState
from edge_gateway.contracts.views import MowerView


class MowerBoard:
    """Records, states and availabilities by mower id."""

    def __init__(self) -> None:
        """Start with nothing known, and trust the device gateway until it is found silent."""
        self._records: dict[str, MowerReply] = {}
        self._states: dict[str, MowerState] = {}
        self._availabilities: dict[str, MowerAvailability] = {}
        self.gateway_alive = True
        self.live = False
        """Whether events keep this board current; a reader looks everything up while they do not."""

    @property
    def mower_ids(self) -> tuple[str, ...]:
        """The mowers that have a record, in the order of their names."""
        return tuple(sorted(self._records, key=lambda mower_id: (self._records[mower_id].mower.name, mower_id)))

    def record(self, mower_id: str) -> MowerReply | None:
        """Return the record of a mower."""
        return self._records.get(mower_id)

    def state(self, mower_id: str) -> MowerState | None:
        """Return the newest state of a mower."""
        return self._states.get(mower_id)

    def availability(self, mower_id: str) -> MowerAvailability | None:
        """Return what is known of a mower's reachability."""
        return self._availabilities.get(mower_id)

    def put_record(self, record: MowerReply) -> None:
        """Keep a mower's record."""
        self._records[record.mower.id] = record

    def put_records(self, records: Iterable[MowerReply]) -> None:
        """Keep these records and no others."""
        self._records = {record.mower.id: record for record in records}

    def remove(self, mower_id: str) -> bool:
        """Forget a mower; tells whether there was one."""
        self._states.pop(mower_id, None)
        self._availabilities.pop(mower_id, None)
        return self._records.pop(mower_id, None) is not None

    def take_state(self, state: MowerState) -> bool:
        """Keep a state if it is newer than the one that is known; tells whether it was."""
        known = self._states.get(state.mower_id)
        if known is not None and state.observed_at <= known.observed_at:
            return False
        self._states[state.mower_id] = state
        return True

    def take_availability(self, availability: MowerAvailability) -> bool:
        """Keep an availability unless it is older than the one that is known; tells whether it was kept."""
        known = self._availabilities.get(availability.mower_id)
        if known is not None and availability.changed_at < known.changed_at:
            return False
        self._availabilities[availability.mower_id] = availability
        return True

    def view(self, mower_id: str) -> MowerView | None:
        """Return the view of a mower that has a record."""
        record = self._records.get(mower_id)
        return None if record is None else self.view_of(record)

    def views(self) -> tuple[MowerView, ...]:
        """Return all views in the order of their names."""
        return tuple(self.view_of(self._records[mower_id]) for mower_id in self.mower_ids)

    def view_of(self, record: MowerReply) -> MowerView:
        """Return the view that a record makes with what was last heard of its mower."""
        mower_id = record.mower.id
        return merge(
            record,
            self._states.get(mower_id),
            self._availabilities.get(mower_id),
            gateway_alive=self.gateway_alive,
        )
