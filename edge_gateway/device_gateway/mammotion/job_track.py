"""One job from start to finish, across charging breaks, seen through the mower's reports. Pure.

The vendor's numbers fall to zero when a job ends, while the mower restarts, and in frames that miss them; so a job
stays open until a report says that it ended, and its progress never falls.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

import msgspec

from edge_gateway.contracts.mower import Job
from edge_gateway.device_gateway.mammotion.modes import Breakpoint, Mode, breakpoint_of, mode_of
from edge_gateway.device_gateway.mammotion.reading import Reading
from edge_gateway.device_gateway.mammotion.state_mapping import job_is_interrupted

START_GRACE = timedelta(seconds=60)
"""A job that was just started is not ended by reports from before it began."""
_FIRST_PATH_HASH = 2


class JobTrack(msgspec.Struct, frozen=True, kw_only=True):
    """An open job."""

    id: str
    path_hash: int | None = None
    started_at: datetime | None = None
    """Null when it was already running at the first report."""
    area_ids: tuple[str, ...] = ()
    progress_percent: float | None = None
    resumable: bool = False
    awaited_until: datetime | None = None
    """Ordered, and not seen working yet: reports before this time do not end it."""

    @property
    def job(self) -> Job:
        """The job as the contracts know it."""
        return Job(id=self.id, started_at=self.started_at, area_ids=self.area_ids, resumable=self.resumable)


def ordered(job_id: str, *, path_hash: int, area_ids: tuple[str, ...], at: datetime) -> JobTrack:
    """Return the track of a job that was just ordered."""
    return JobTrack(id=job_id, path_hash=path_hash, started_at=at, area_ids=area_ids, awaited_until=at + START_GRACE)


def follow(
    track: JobTrack | None, reading: Reading, *, area_ids: Mapping[int, str], seen_before: bool
) -> JobTrack | None:
    """Return the open job after a report; null when none is open.

    `area_ids`: ours by the vendor's hashes. `seen_before`: an earlier report showed no job, so one that shows up now
    began now.
    """
    if track is not None and track.awaited_until is not None and mode_of(reading.mode) is not Mode.WORKING:
        if reading.observed_at < track.awaited_until:
            return track
        track = msgspec.structs.replace(track, awaited_until=None)
    match _sign(track, reading):
        case None:
            return track
        case False:
            return None
        case True:
            if track is None or _is_another(track, reading):
                track = _foreign(reading, area_ids=area_ids, seen_before=seen_before)
            return _advanced(track, reading)


def _sign(track: JobTrack | None, reading: Reading) -> bool | None:
    """Tell whether a report shows an open job, none, or leaves it open (null)."""
    mode = mode_of(reading.mode)
    reason = breakpoint_of(reading.breakpoint)
    if mode is Mode.WORKING or (reading.breakpoint is not None and reason is not Breakpoint.NONE):
        return True
    if mode in {Mode.PAUSE, Mode.CHARGING_PAUSE}:
        return True if track is not None or _path(reading) is not None else None
    if reason is Breakpoint.NONE and mode in {Mode.READY, Mode.CHARGING, Mode.SLEEPING}:
        return False
    if reason is Breakpoint.NONE and mode is Mode.RETURNING and _path(reading) is None:
        # On its way home with nothing left to mow.
        return False
    return None


def _is_another(track: JobTrack, reading: Reading) -> bool:
    path = _path(reading)
    return track.awaited_until is None and path is not None and track.path_hash not in {None, path}


def _foreign(reading: Reading, *, area_ids: Mapping[int, str], seen_before: bool) -> JobTrack:
    path = _path(reading) or 0
    return JobTrack(
        id=f"job-{path:x}-{reading.observed_at:%Y%m%d%H%M%S}",
        started_at=reading.observed_at if seen_before else None,
        area_ids=tuple(area_ids[zone] for zone in reading.job_zone_hashes if zone in area_ids),
    )


def _advanced(track: JobTrack, reading: Reading) -> JobTrack:
    known = [value for value in (track.progress_percent, reading.mow_percent) if value is not None]
    return msgspec.structs.replace(
        track,
        path_hash=_path(reading) or track.path_hash,
        progress_percent=float(max(known)) if known else None,
        resumable=job_is_interrupted(reading),
        awaited_until=None,
    )


def _path(reading: Reading) -> int | None:
    if reading.path_hash is None or reading.path_hash < _FIRST_PATH_HASH:
        return None
    return reading.path_hash
