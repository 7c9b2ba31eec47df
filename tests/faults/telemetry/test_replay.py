"""The long form of the replay: a day of twenty mowers that report once a second."""

import pytest

from benchmarks.replay import replay


@pytest.mark.timeout(3600)
async def test_memory_stays_flat_for_a_day() -> None:
    figures = await replay(hours=24, mowers=20)

    assert figures["states"] == 1_728_000
    assert abs(figures["slope_mib_per_hour"]) < 0.5
