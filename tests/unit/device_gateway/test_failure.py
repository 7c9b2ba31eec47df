"""Which outcome an error makes of an order: before the first frame nothing is open, after it something may be."""

from typing import Any

import pytest

from edge_gateway.contracts.commands import CommandStatus
from edge_gateway.contracts.errors import (
    DeadlineError,
    InvalidError,
    MowDeckError,
    UnavailableError,
    UnsafeError,
)
from edge_gateway.device_gateway.decisions import Refused
from edge_gateway.device_gateway.errors import LeaseLostError, OrderExpiredError
from edge_gateway.device_gateway.failure import Failure, failure_of, failure_of_refusal

EXPIRED = CommandStatus.EXPIRED
FAILED = CommandStatus.FAILED


@pytest.mark.parametrize(
    ("error", "frames", "status", "reason"),
    [
        (OrderExpiredError(first=True), 0, EXPIRED, "expired"),
        (OrderExpiredError(first=False), 1, EXPIRED, "expired_midway"),
        (LeaseLostError(), 0, FAILED, "lease_lost"),
        (LeaseLostError(), 1, FAILED, "outcome_unknown"),
        (UnavailableError("link_lost", "Broken."), 0, FAILED, "unavailable"),
        (UnavailableError("link_lost", "Broken."), 1, FAILED, "unavailable"),
        (DeadlineError("no_answer", "Silent."), 0, FAILED, "unavailable"),
        (DeadlineError("no_answer", "Silent."), 1, FAILED, "outcome_unknown"),
        (UnsafeError("refused_by_mower", "No."), 1, FAILED, "refused_by_mower"),
        (TimeoutError(), 0, EXPIRED, "expired"),
        (TimeoutError(), 1, FAILED, "outcome_unknown"),
        (ValueError("a fault of ours"), 0, FAILED, "internal"),
        (ValueError("a fault of ours"), 1, FAILED, "outcome_unknown"),
    ],
)
def test_the_outcome_of_an_error(error: Exception, frames: int, status: CommandStatus, reason: str) -> None:
    failure = failure_of(error, frames=frames)
    assert (failure.status, failure.reason) == (status, reason)


@pytest.mark.parametrize("frames", [0, 1])
def test_the_numbers_of_an_error_are_kept(frames: int) -> None:
    error: MowDeckError = UnsafeError("unsafe", "No.", values={"vendor_reason": 2805})
    assert failure_of(error, frames=frames).values == {"vendor_reason": 2805}
    error = InvalidError("not_allowed", "Wrong.", field="setting_value")
    assert failure_of(error, frames=frames).values == {"field": "setting_value"}
    error = UnavailableError("link_lost", "Broken.", values={"link": "bridge"})
    assert failure_of(error, frames=frames).values == {"code": "link_lost", "link": "bridge"}


@pytest.mark.parametrize(
    ("values", "cause"),
    [
        ({"vendor_reason": "rain"}, "It rains at the mower, and its rain detection keeps it from starting."),
        ({"vendor_reason": "in_error", "problem": "lifted"}, "It was lifted."),
        ({"vendor_reason": "of another vendor"}, "The mower does not say why."),
        ({}, "The mower does not say why."),
    ],
)
def test_a_mower_s_refusal_carries_its_reason_in_words(values: dict[str, Any], cause: str) -> None:
    words = failure_of(UnsafeError("refused_by_mower", "No.", values=values), frames=1).values["words"]
    assert words["en"]["cause"] == cause
    assert words["de"]["cause"] != cause
    assert words["de"]["remedy"].endswith(".")


def test_a_refusal_carries_its_remedy() -> None:
    refused = Refused(reason="mower_in_error", remedy="clear_problem", values={"problem": "stuck"})
    assert failure_of_refusal(refused) == Failure(
        reason="mower_in_error", values={"remedy": "clear_problem", "problem": "stuck"}
    )
