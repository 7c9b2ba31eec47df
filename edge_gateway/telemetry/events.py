"""The events that follow from states, wrapped for the bus; their ids follow from the states, too."""

from datetime import datetime

import msgspec

from edge_gateway.contracts import subjects
from edge_gateway.contracts.envelope import Envelope, wrap
from edge_gateway.contracts.identifiers import derived_event_id
from edge_gateway.contracts.telemetry import BladeThresholdReached, JobEnding, JobFinished, JobRecord, ZoneCrossed
from edge_gateway.telemetry.rows import Health, JobRow
from edge_gateway.telemetry.zone_rules import Crossing

MICROSECONDS = 1_000_000
MILLIMETRES = 1000
SQUARE_CENTIMETRES = 10_000


def zone_crossed(mower_id: str, account_id: str, crossing: Crossing, at: datetime) -> Envelope:
    """Return `telemetry.zone.entered` or `telemetry.zone.left`."""
    return _wrapped(
        ZoneCrossed(mower_id=mower_id, zone_id=crossing.zone_id, name=crossing.name, at=at),
        subjects.ZONE_ENTERED if crossing.entered else subjects.ZONE_LEFT,
        crossing.zone_id,
        mower_id=mower_id,
        account_id=account_id,
        at=at,
    )


def blade_threshold(
    mower_id: str, account_id: str, health: Health, *, blade_life_microseconds: int, at: datetime
) -> Envelope:
    """Return `telemetry.blade.threshold`."""
    return _wrapped(
        BladeThresholdReached(
            mower_id=mower_id,
            blade_seconds=health.blade_microseconds / MICROSECONDS,
            blade_life_seconds=blade_life_microseconds / MICROSECONDS,
            at=at,
        ),
        subjects.BLADE_THRESHOLD,
        "blades",
        mower_id=mower_id,
        account_id=account_id,
        at=at,
    )


def job_finished(mower_id: str, account_id: str, row: JobRow, at: datetime) -> Envelope:
    """Return `telemetry.job.finished`."""
    return _wrapped(
        JobFinished(mower_id=mower_id, job=job_record(mower_id, row)),
        subjects.JOB_FINISHED,
        row.job_id,
        mower_id=mower_id,
        account_id=account_id,
        at=at,
    )


def job_record(mower_id: str, row: JobRow) -> JobRecord:
    """Return a job as it is told."""
    area = row.area_square_centimetres
    return JobRecord(
        id=row.job_id,
        mower_id=mower_id,
        command_id=row.command_id,
        started_at=row.started_at,
        last_at=row.last_at,
        ended_at=row.ended_at,
        ending=None if row.ending is None else JobEnding(row.ending),
        area_ids=row.area_ids,
        progress_percent=row.progress_percent,
        area_m2=None if area is None else area / SQUARE_CENTIMETRES,
        mowing_seconds=row.mowing_microseconds / MICROSECONDS,
        distance_m=row.distance_millimetres / MILLIMETRES,
        charging_breaks=row.charging_breaks,
    )


def _wrapped(
    payload: msgspec.Struct, subject: str, about: str, *, mower_id: str, account_id: str, at: datetime
) -> Envelope:
    return wrap(
        payload,
        id=derived_event_id(subject, mower_id, about, at),
        type=subject,
        occurred_at=at,
        account_id=account_id,
        subject_id=mower_id,
    )
