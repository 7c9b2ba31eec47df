"""A bounded slice of the frame fuzzer."""

import pytest

from tests.faults.mammotion.frame_fuzz import examine, fuzz, real_frames

EXAMPLES = 150


async def test_what_mowers_really_say_is_taken() -> None:
    await examine(real_frames())


@pytest.mark.parametrize("frame", [b"", b"\x00", b"\xff" * 64])
async def test_what_is_no_frame_is_dropped(frame: bytes) -> None:
    await examine([frame, *real_frames()])


def test_mutated_frames_crash_nothing_and_invent_no_state() -> None:
    fuzz(EXAMPLES)
