"""The long form of the hand-over between replicas: ten minutes."""

import pytest

from tests.service.telemetry.test_replicas import Connect, connect, hand_over_for

__all__ = ["connect"]

_SECONDS = 600.0
_PAUSE_SECONDS = 0.01
"""So that some ten thousands of reports are compared at the end, not some hundred thousands."""


@pytest.mark.timeout(1200)
async def test_partitions_are_handed_over_for_ten_minutes(connect: Connect, postgres_url: str) -> None:
    assert await hand_over_for(_SECONDS, connect, postgres_url, pause_seconds=_PAUSE_SECONDS) > 10_000
