"""Order keys: what makes a firing, however often it is tried, one order at Fleet."""

from datetime import UTC, datetime


def occurrence_key(schedule_id: str, occurrence_at: datetime, mower_id: str) -> str:
    """Return `<schedule>:<occurrence>:<mower>`; the occurrence is its instant in UTC to the second."""
    return f"{schedule_id}:{_instant(occurrence_at)}:{mower_id}"


def run_now_key(schedule_id: str, idempotency_key: str, mower_id: str) -> str:
    """Return `<schedule>:now:<idempotency key>:<mower>`."""
    return f"{schedule_id}:now:{idempotency_key}:{mower_id}"


def missed_key(schedule_id: str, occurrence_at: datetime, mower_id: str) -> str:
    """Return the key of the row for what was passed over when this occurrence was claimed; never an order's.

    It is not the key of an occurrence that was passed over: a clock that was ahead for a while must not take the
    firing away from the days that are still to come.
    """
    return f"{schedule_id}:missed:{_instant(occurrence_at)}:{mower_id}"


def attempt_key(key: str, attempt: int) -> str:
    """Return the key under which a run's order is given for the nth time, from 1.

    The attempt rises only when Fleet had accepted the last one and it ended failed or expired: a refusal leaves its
    key free, a known key answers with the stored command.
    """
    return key if attempt <= 1 else f"{key}:{attempt}"


def _instant(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
