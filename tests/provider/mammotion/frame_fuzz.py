"""Frames of a mower, mutated, through the vendor's library and our mapping: nothing crashes, no state is invented.

`python -m tests.provider.mammotion.frame_fuzz --minutes 10` is the long form: it goes on from the examples that an
earlier run kept in `.hypothesis/frames`. CI runs a bounded slice (`test_frame_fuzz.py`).
"""

import argparse
import asyncio
import contextlib
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.database import DirectoryBasedExampleDatabase
from pymammotion.data.model.device import MowerDevice, create_device
from pymammotion.device.handle import DeviceHandle
from pymammotion.transport.base import TransportType
from pymammotion.utility.constant import WorkMode

from edge_gateway.contracts.mower import Activity
from edge_gateway.device_gateway.mammotion.frame_guard import drop_broken_frames
from edge_gateway.device_gateway.mammotion.modes import mode_of
from edge_gateway.device_gateway.mammotion.state_mapping import driver_state, on_charger
from edge_gateway.device_gateway.mammotion.vendor_words import read_facts, read_map, read_problem_log, read_state
from tests.emulators.mammotion import frames
from tests.emulators.mammotion.elements import map_elements
from tests.emulators.mammotion.garden import default_garden
from tests.emulators.mammotion.reports import error_entries, report_data
from tests.emulators.mammotion.status import MowerStatus

CORPUS = Path(".hypothesis") / "frames"
NAME = "Luba-VPEMU0001"
PRODUCT_KEY = "ATyVu9QkAdX"


def real_frames() -> tuple[bytes, ...]:
    """Return what a mower says in its life, one frame of each kind."""
    garden, working = default_garden(), MowerStatus(mode=WorkMode.MODE_WORKING, charge_state=0, mow_percent=40)
    elements = tuple(map_elements(garden).values())
    return (
        frames.report(report_data(MowerStatus(), garden)),
        frames.report(report_data(working, garden)),
        frames.task_acknowledged(1, 1, 0, WorkMode.MODE_WORKING),
        frames.firmware("1.30.26.8"),
        frames.base_and_dock(garden),
        frames.error_log(error_entries([(1202, 1_780_000_000)])),
        frames.area_names(garden.areas, "iot"),
        frames.hash_list(garden.element_hashes, kind=0, frame=1, frames=1),
        *(frames.element_points(one, points=one.points[:20], frame=1, frames=1) for one in elements),
    )


def mutated() -> st.SearchStrategy[bytes]:
    """Return real frames with bytes changed, taken out, put in, cut off, or two of them run together."""
    edit = st.tuples(
        st.sampled_from(["set", "cut", "add", "end"]), st.integers(0, 400), st.binary(min_size=1, max_size=6)
    )
    return st.builds(_mutate, st.sampled_from(real_frames()), st.lists(edit, max_size=6))


def _mutate(frame: bytes, edits: Sequence[tuple[str, int, bytes]]) -> bytes:
    for kind, position, content in edits:
        at = position % (len(frame) + 1)
        match kind:
            case "set":
                frame = frame[:at] + content + frame[at + len(content) :]
            case "cut":
                frame = frame[:at] + frame[at + len(content) :]
            case "add":
                frame = frame[:at] + content + frame[at:]
            case _:
                frame = frame[:at]
    return frame


async def examine(sequence: Sequence[bytes]) -> None:
    """Let a mower say these frames; raises `AssertionError` when a state is one that nobody told."""
    handle = DeviceHandle(
        device_id=NAME,
        device_name=NAME,
        initial_device=create_device(NAME, PRODUCT_KEY),
        iot_id="iot",
        user_account=1,
        account_id="fuzz",
        product_key=PRODUCT_KEY,
    )
    drop_broken_frames(handle)
    try:
        for frame in sequence:
            await handle.on_raw_message(frame, TransportType.CLOUD_MAMMOTION)
            _look(handle)
    finally:
        with contextlib.suppress(asyncio.CancelledError):
            await handle.stop()


def _look(handle: DeviceHandle) -> None:
    device = handle.snapshot.raw
    assert isinstance(device, MowerDevice)
    reading = read_state(device, observed_at=datetime.now(UTC), reported=handle.last_report_data_at > 0)
    state = driver_state(reading, job=None, progress_percent=None, area_ids={})
    read_map(device)
    read_problem_log(device)
    read_facts(device)
    if state.activity is Activity.DOCKED:
        assert on_charger(reading), "docked without a charger's contact"
    if mode_of(reading.mode) is None:
        assert state.activity is Activity.UNKNOWN, "a mode that nobody knows became an activity"
    assert state.battery_percent is None or 0 < state.battery_percent <= 100, state.battery_percent
    if state.position is not None:
        assert -90 <= state.position.latitude <= 90, state.position
        assert -180 <= state.position.longitude <= 180, state.position
        assert (state.position.latitude, state.position.longitude) != (0, 0)


def fuzz(examples: int) -> None:
    """Try so many sequences of frames, those of the corpus that failed first."""

    @settings(
        max_examples=examples,
        deadline=None,
        database=DirectoryBasedExampleDatabase(CORPUS),
        suppress_health_check=[HealthCheck.too_slow],
    )
    @given(st.lists(mutated(), min_size=1, max_size=4))
    def one(sequence: list[bytes]) -> None:
        asyncio.run(examine(sequence))

    one()


def main() -> int:
    """Fuzz for some minutes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    ends_at = time.monotonic() + parser.parse_args().minutes * 60
    rounds = 0
    while time.monotonic() < ends_at:
        fuzz(1000)
        rounds += 1
        sys.stdout.write(f"{rounds * 1000} sequences of frames\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
