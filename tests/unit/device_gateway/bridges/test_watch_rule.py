"""What is done about a silent bridge begins at the second that the design names, not after it."""

import msgspec
import pytest

from edge_gateway.device_gateway.bridges.watch_rule import Step, Watched, next_step

SILENT = Watched(
    silent_seconds=15,
    heard_before=True,
    taken_back_seconds=15,
    answered_since=False,
    named_thief=False,
    restarted_seconds=3600,
    given_up=False,
    expects_mower=True,
)


@pytest.mark.parametrize(
    ("changes", "step"),
    [
        ({}, Step.RESTART),
        ({"silent_seconds": 14.9}, Step.NOTHING),
        ({"taken_back_seconds": 14.9}, Step.NOTHING),
        ({"restarted_seconds": 3599.9}, Step.NOTHING),
        ({"taken_back_seconds": 599.9, "answered_since": True}, Step.GIVE_UP),
        ({"taken_back_seconds": 600.0, "answered_since": True}, Step.TAKE_BACK),
    ],
)
def test_each_limit_itself_counts(changes: dict[str, object], step: Step) -> None:
    assert next_step(msgspec.structs.replace(SILENT, **changes), silence_seconds=15) is step
