"""Which command started which job of one mower: known across restarts, and while the start is still on its way."""

from collections.abc import Iterable
from datetime import datetime

import msgspec

from edge_gateway.contracts.mower import Job
from edge_gateway.device_gateway.attribution import StartInHand, is_its_job
from edge_gateway.device_gateway.repository import StartedJob


class JobBook:
    """The jobs of one mower that were started through us."""

    def __init__(self, jobs: Iterable[StartedJob] = ()) -> None:
        """Open it with what is stored."""
        self._jobs = {job.job_id: job for job in jobs}
        self._in_hand: StartInHand | None = None

    def expect(self, start: StartInHand | None) -> None:
        """Take the next new job for this start's; null expects none any more."""
        self._in_hand = start

    def record(self, job: StartedJob) -> None:
        """Record a job whose command is known."""
        self._jobs[job.job_id] = job

    def recognise(self, job: Job, *, observed_at: datetime) -> StartedJob | None:
        """Return a job seen for the first time that belongs to the start in hand, recorded; null otherwise."""
        if job.id in self._jobs or self._in_hand is None:
            return None
        if not is_its_job(self._in_hand, job, observed_at=observed_at):
            return None
        started = StartedJob(
            job_id=job.id, command_id=self._in_hand.command_id, started_at=job.started_at or observed_at
        )
        self._in_hand = None
        self.record(started)
        return started

    @property
    def replaced_job_id(self) -> str | None:
        """The job that the start in hand ends to begin another; null for none."""
        return None if self._in_hand is None else self._in_hand.job_before

    def signed(self, job: Job) -> Job:
        """Return the job with the command that started it, as it is for a foreign one."""
        known = self._jobs.get(job.id)
        return job if known is None else msgspec.structs.replace(job, command_id=known.command_id)

    def started_at(self, job: Job) -> datetime | None:
        """Return when a job was started through us, null for a foreign one."""
        known = self._jobs.get(job.id)
        return None if known is None else known.started_at
