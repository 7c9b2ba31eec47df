"""What one mower's reports add up to: its state, its open job, the settings of its last job."""

from collections.abc import Callable

from pymammotion.data.model.device import MowerDevice

from edge_gateway.contracts.clock import Clock
from edge_gateway.device_gateway.mammotion import job_track
from edge_gateway.device_gateway.mammotion.map_keeper import MapKeeper
from edge_gateway.device_gateway.mammotion.memory import Memory
from edge_gateway.device_gateway.mammotion.reading import Reading
from edge_gateway.device_gateway.mammotion.route_settings import RouteSettings
from edge_gateway.device_gateway.mammotion.state_mapping import driver_state
from edge_gateway.device_gateway.mammotion.vendor_words import base_is_placed, read_base, read_settings, recall_base
from edge_gateway.device_gateway.provider import DriverState


class StateKeeper:
    """Keeps one mower's state; what has to survive a restart goes into its memory."""

    def __init__(self, memory: Memory, mower_map: MapKeeper, clock: Clock) -> None:
        """Know no state yet."""
        self.state: DriverState | None = None
        self._memory = memory
        self._map = mower_map
        self._clock = clock

    def recall(self, device: MowerDevice) -> None:
        """Tell the library what it does not know after a restart: where base station and dock stand."""
        base = self._memory.content.base
        if base is not None and not base_is_placed(device):
            recall_base(device, base)

    def hear(self, reading: Reading, device: MowerDevice | None) -> DriverState:
        """Return the state after a report; `device` is the library's model, for what a report does not hold."""
        areas = self._map.area_ids
        if device is not None and (base := read_base(device)) is not None:
            self._memory.change(base=base)
        track = job_track.follow(self._memory.content.job, reading, area_ids=areas, seen_before=self.state is not None)
        self._memory.change(job=track)
        if track is not None and device is not None and (told := read_settings(device)) is not None:
            self._memory.change(settings=told)
        # A job that was ordered is one when the mower is seen working on it.
        shown = None if track is None or track.awaited_until is not None else track
        self.state = driver_state(
            reading,
            job=shown.job if shown else None,
            progress_percent=shown.progress_percent if shown else None,
            area_ids=areas,
        )
        return self.state

    def expect_job(self, job_id: str, *, area_ids: tuple[str, ...], settings: RouteSettings) -> Callable[[int], None]:
        """Return what to call once the route of a job is planned: the next report may show the job already."""

        def planned(path_hash: int) -> None:
            job = job_track.ordered(job_id, path_hash=path_hash, area_ids=area_ids, at=self._clock.now())
            self._memory.change(job=job, settings=settings)

        return planned

    def forget_job(self, job_id: str) -> None:
        """Expect a job no more: it certainly does not begin."""
        job = self._memory.content.job
        if job is not None and job.id == job_id:
            self._memory.change(job=None)
