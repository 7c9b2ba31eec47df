"""Which job is open on a mower that gives its jobs no ids, also after a restart. Pure."""

from datetime import datetime, timedelta

import msgspec

START_GRACE = timedelta(seconds=10)
"""A job that was just ordered is not ended by a report from before it began."""


class JobTrack(msgspec.Struct, frozen=True, kw_only=True):
    """The job that is open: this is what is kept."""

    id: str
    awaited_until: datetime | None = None
    """Ordered and not seen yet: no report before this time ends it."""


def ordered(job_id: str, *, at: datetime) -> JobTrack:
    """Return the track of a job that is about to be ordered."""
    return JobTrack(id=job_id, awaited_until=at + START_GRACE)


def follow(track: JobTrack | None, *, unfinished: bool, observed_at: datetime) -> JobTrack | None:
    """Return the job that is open after a report; null for none.

    One that nobody ordered here gets an id when it is first seen, and keeps it as long as something is unfinished.
    """
    if unfinished:
        return JobTrack(id=f"job-{observed_at:%Y%m%d%H%M%S}" if track is None else track.id)
    if track is not None and track.awaited_until is not None and observed_at < track.awaited_until:
        return track
    return None
