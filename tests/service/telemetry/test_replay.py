"""A slice of the day of benchmarks/replay.py: twenty mowers report once a second, and memory stays flat."""

from benchmarks.replay import replay


async def test_memory_stays_flat() -> None:
    figures = await replay(hours=0.5, mowers=20)

    assert figures["states"] == 36_000
    assert figures["resident_mib_end"] - figures["resident_mib_middle"] < 5
