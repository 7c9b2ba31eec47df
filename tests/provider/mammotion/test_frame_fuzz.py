"""A bounded slice of the frame fuzzer."""

import pytest

from tests.emulators.mammotion import frames
from tests.emulators.mammotion.garden import default_garden
from tests.emulators.mammotion.reports import report_data
from tests.emulators.mammotion.status import MowerStatus
from tests.provider.mammotion.frame_fuzz import examine, fuzz, real_frames

EXAMPLES = 120


async def test_what_mowers_really_say_is_taken() -> None:
    await examine(real_frames())


@pytest.mark.parametrize("frame", [b"", b"\x00", b"\xff" * 64])
async def test_what_is_no_frame_is_dropped(frame: bytes) -> None:
    await examine([frame, *real_frames()])


def test_mutated_frames_crash_nothing_and_invent_no_state() -> None:
    fuzz(EXAMPLES)


async def test_a_battery_over_full_and_a_name_of_no_area_are_not_taken() -> None:
    over_full = frames.report(report_data(MowerStatus(battery_percent=101), default_garden()))
    await examine([over_full])
    garden_names = frames.area_names(default_garden().areas, "iot")
    await examine([garden_names[:at] + b"\x01" + garden_names[at:] for at in range(10, len(garden_names))])


async def test_a_base_station_beside_nowhere_makes_no_place() -> None:
    # Found by the long form: a list of parameters, shifted by a byte, that puts the base station some metres off 0, 0.
    shifted = bytes.fromhex(
        "08f401100118072002280130013801521bda01180a160100000000b400da2babfe930b00000000000000000078bac0daf9a234"
    )
    await examine([*real_frames()[:1], shifted])
