"""What is done about a silent bridge, and that it begins at the second that the design names, not after it."""

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


LEFT_ALONE = Watched(
    silent_seconds=20,
    heard_before=True,
    taken_back_seconds=None,
    answered_since=False,
    named_thief=False,
    restarted_seconds=None,
    given_up=False,
    expects_mower=True,
)


@pytest.mark.parametrize(
    ("changes", "step"),
    [
        ({}, Step.TAKE_BACK),
        ({"silent_seconds": 5}, Step.NOTHING),
        ({"expects_mower": False}, Step.NOTHING),
        ({"taken_back_seconds": 20}, Step.RESTART),
        ({"taken_back_seconds": 5}, Step.NOTHING),
        ({"taken_back_seconds": 20, "restarted_seconds": 60}, Step.NOTHING),
        ({"taken_back_seconds": 20, "restarted_seconds": 4000}, Step.RESTART),
        ({"taken_back_seconds": 20, "heard_before": False}, Step.NOTHING),
        ({"taken_back_seconds": 20, "answered_since": True}, Step.GIVE_UP),
        ({"taken_back_seconds": 700}, Step.TAKE_BACK),
        ({"named_thief": True, "silent_seconds": 0}, Step.TAKE_BACK),
        ({"named_thief": True, "taken_back_seconds": 30}, Step.GIVE_UP),
        ({"named_thief": True, "given_up": True}, Step.NOTHING),
    ],
)
def test_a_silent_bridge(changes: dict[str, object], step: Step) -> None:
    assert next_step(msgspec.structs.replace(LEFT_ALONE, **changes), silence_seconds=15) is step
