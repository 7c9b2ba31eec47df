"""Which command started a job: told apart from jobs that were started elsewhere, also after a crash. Pure."""

from datetime import datetime, timedelta

import msgspec

from edge_gateway.contracts.mower import Job

CLOCK_TOLERANCE = timedelta(seconds=10)
"""A mower's own clock may place the start of a job this much before the order left."""


class StartInHand(msgspec.Struct, frozen=True, kw_only=True):
    """A start that was sent and whose job is not known yet."""

    command_id: str
    job_before: str | None
    """The job that was open when the order was sent."""
    sent_at: datetime
    until: datetime
    """No job that starts later is this order's."""


def is_its_job(start: StartInHand, job: Job, *, observed_at: datetime) -> bool:
    """Tell whether a job that was just seen is the one that the order started."""
    if job.id == start.job_before:
        return False
    started_at = observed_at if job.started_at is None else job.started_at
    return start.sent_at - CLOCK_TOLERANCE <= started_at < start.until
