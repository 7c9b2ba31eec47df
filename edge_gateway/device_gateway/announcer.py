"""What one mower is told about on the bus: states, availability, map."""

from datetime import datetime

import msgspec
import structlog

from edge_gateway.contracts import subjects
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.device import Setting
from edge_gateway.contracts.envelope import Envelope, wrap
from edge_gateway.contracts.identifiers import new_id, state_event_id
from edge_gateway.contracts.map import MowerMap
from edge_gateway.contracts.mower import MowerAvailability, MowerState
from edge_gateway.device_gateway import metrics
from edge_gateway.device_gateway.availability_rule import is_worth_telling
from edge_gateway.device_gateway.job_book import JobBook
from edge_gateway.device_gateway.late_writes import LateWrites
from edge_gateway.device_gateway.observed_at import Told, advance
from edge_gateway.device_gateway.provider import DriverAvailability, DriverState
from edge_gateway.device_gateway.publisher import EventKind, Publisher
from edge_gateway.device_gateway.repository import KnownMower, Repository

_log = structlog.get_logger(__name__)


class Announcer:
    """Turns what a driver tells into events; never waits."""

    def __init__(
        self,
        mower: KnownMower,
        publisher: Publisher,
        writes: LateWrites,
        book: JobBook,
        *,
        repository: Repository,
        clock: Clock,
        told: Told | None,
        stored_map: MowerMap | None,
    ) -> None:
        """Go on after the last state that the stream has, with the map that is stored."""
        self._mower = mower
        self._publisher = publisher
        self._writes = writes
        self._book = book
        self._repository = repository
        self._clock = clock
        self._told = told
        self._heard: DriverState | None = None
        self._map = stored_map
        self._availability: DriverAvailability | None = None
        self._availability_told_at: datetime | None = None
        self._available_since: datetime | None = None
        self._settings: tuple[Setting, ...] | None = None

    def read_back(self, observed_at: datetime) -> None:
        """Go on after a state that somebody else published meanwhile."""
        if self._told is None or observed_at > self._told.sent_at:
            self._told = Told.read_back(observed_at)

    def hear_state(self, state: DriverState) -> bool:
        """Publish a report; tell whether it was new (not heard before, not overtaken)."""
        if state == self._heard:
            metrics.STATES.labels(self._mower.provider, "repeated").inc()
            return False
        told = advance(self._told, source_at=state.observed_at, received_at=self._clock.now())
        if told is None:
            metrics.STATES.labels(self._mower.provider, "reordered").inc()
            _log.debug("overtaken report dropped", mower=self._mower.mower_id, observed_at=state.observed_at)
            return False
        self._told = told
        self._heard = state
        job = state.job
        if job is not None:
            started = self._book.recognise(job, observed_at=told.sent_at)
            if started is not None:
                self._writes.put(lambda: self._repository.save_job(self._mower.mower_id, started))
            job = self._book.signed(job)
        event = MowerState(
            mower_id=self._mower.mower_id,
            account_id=self._mower.account_id,
            observed_at=told.sent_at,
            activity=state.activity,
            battery_percent=state.battery_percent,
            charging=state.charging,
            on_charger=state.on_charger,
            position=state.position,
            area_id=state.area_id,
            progress_percent=state.progress_percent,
            job=job,
            replaced_job_id=self._book.replaced_job_id if job is None else None,
            problem=state.problem,
        )
        envelope = self._envelope(
            event, subjects.STATE_TYPE, state_event_id(self._mower.mower_id, told.sent_at), told.sent_at
        )
        self._publisher.put(subjects.state_subject(self._mower.mower_id), envelope, EventKind.STATE)
        metrics.STATES.labels(self._mower.provider, "published").inc()
        return True

    def hear_availability(self, availability: DriverAvailability) -> None:
        """Publish a change of availability that somebody wants to know of."""
        now = self._clock.now()
        if is_worth_telling(self._availability, availability, told_at=self._availability_told_at, now=now):
            self._tell_availability(availability, now)

    def hear_map(self, mower_map: MowerMap) -> None:
        """Publish and keep a map that says something new."""
        known = self._map
        if known is not None and msgspec.structs.replace(mower_map, observed_at=known.observed_at) == known:
            return
        self._tell_map(mower_map)
        self._writes.put(lambda: self._repository.save_map(mower_map))

    def tell_again(self, mower_map: MowerMap | None, availability: DriverAvailability) -> None:
        """Publish map (the driver's, else the stored one) and availability after a restart, changed or not."""
        if mower_map is not None:
            self.hear_map(mower_map)
        if self._map is not None:
            self._tell_map(self._map)
        self._tell_availability(availability, self._clock.now())

    def keep_settings(self, settings: tuple[Setting, ...]) -> None:
        """Keep the settings for replicas that do not drive this mower, when they changed."""
        if settings == self._settings:
            return
        self._settings = settings
        self._writes.put(lambda: self._repository.save_settings(self._mower.mower_id, settings))

    def _tell_map(self, mower_map: MowerMap) -> None:
        self._map = mower_map
        envelope = self._envelope(mower_map, subjects.MAP_TYPE, new_id(), mower_map.observed_at)
        self._publisher.put(subjects.map_subject(self._mower.mower_id), envelope, EventKind.NEWEST)

    def _tell_availability(self, availability: DriverAvailability, now: datetime) -> None:
        before = self._availability
        if before is None or before.available != availability.available or self._available_since is None:
            self._available_since = now
        self._availability = availability
        self._availability_told_at = now
        event = MowerAvailability(
            mower_id=self._mower.mower_id,
            account_id=self._mower.account_id,
            available=availability.available,
            reason=availability.reason,
            changed_at=self._available_since,
            links=availability.links,
        )
        envelope = self._envelope(event, subjects.AVAILABILITY_TYPE, new_id(), now)
        self._publisher.put(subjects.availability_subject(self._mower.mower_id), envelope, EventKind.NEWEST)

    def _envelope(self, payload: msgspec.Struct, event_type: str, event_id: str, occurred_at: datetime) -> Envelope:
        return wrap(
            payload,
            id=event_id,
            type=event_type,
            occurred_at=occurred_at,
            account_id=self._mower.account_id,
            subject_id=self._mower.mower_id,
        )
