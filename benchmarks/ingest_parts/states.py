"""The states that every side of the benchmark takes in: mowers at work, as the simulator and the vendors report."""

import math
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from edge_gateway.contracts.mower import Activity, Job, MowerState, Position

BEGIN = datetime(2026, 5, 4, 7, tzinfo=UTC)
PERIOD = timedelta(seconds=5)
SECOND = timedelta(seconds=1)
AREA_IDS = ("01KBAREA0000000000000FRONT", "01KBAREA00000000000000BACK")
AREA_SIZES: dict[str, float | None] = {AREA_IDS[0]: 310.0, AREA_IDS[1]: 520.5}
JOB_STATES = 1440
"""A job is two hours of reports."""


def mower_ids(number: int) -> list[str]:
    """Return the ids of so many mowers, as long as real ones."""
    return [f"01KBMOWER0000000000000{index:04d}" for index in range(number)]


def state(mower_id: str, index: int, *, begin: datetime = BEGIN, period: timedelta = PERIOD) -> MowerState:
    """Return the `index`-th report of a mower: it mows to and fro, its battery and its job's progress move on."""
    job_number, step = divmod(index, JOB_STATES)
    lane, place = divmod(step, 24)
    along = place if lane % 2 else 24 - place
    return MowerState(
        mower_id=mower_id,
        account_id="home",
        observed_at=begin + index * period,
        activity=Activity.MOWING,
        battery_percent=100 - step // 20,
        charging=False,
        on_charger=False,
        position=Position(
            latitude=round(52.5 + lane * 3e-6, 7),
            longitude=round(13.4 + along * 3.7e-5 + math.sin(index) * 1e-7, 7),
            heading_degrees=90.0 if lane % 2 else 270.0,
        ),
        area_id=AREA_IDS[lane // 30 % 2],
        progress_percent=round(step * 100 / JOB_STATES, 1),
        job=Job(
            id=f"01KBJOB{mower_id[-4:]}0000000000{job_number:05d}",
            command_id=f"01KBCOMMAND00000{mower_id[-4:]}{job_number:06d}",
            started_at=begin + job_number * JOB_STATES * period,
            area_ids=AREA_IDS,
            resumable=True,
        ),
    )


def states(total: int, *, mowers: int, period: timedelta = PERIOD) -> Iterator[MowerState]:
    """Return so many reports, as they arrive when all mowers report side by side."""
    ids = mower_ids(mowers)
    for number in range(total):
        index, mower = divmod(number, mowers)
        yield state(ids[mower], index, period=period)
