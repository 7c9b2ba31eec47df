"""When commands are closed without a report of their end."""

from datetime import UTC, datetime, timedelta

import pytest

from edge_gateway.contracts.commands import FINAL_STATUSES, Command, CommandBody, CommandKind, CommandStatus
from edge_gateway.contracts.principals import OWNER, Origin
from edge_gateway.fleet.closing_rules import Closing, OpenCommand, close_overdue

ISSUED = datetime(2026, 5, 1, 9, tzinfo=UTC)
GRACE = timedelta(seconds=15)


def found(status: CommandStatus, *, published: bool = True) -> OpenCommand:
    return OpenCommand(
        command=Command(
            id="c1",
            account_id="home",
            mower_id="m1",
            body=CommandBody(kind=CommandKind.PAUSE),
            key="k",
            issued_by=OWNER,
            origin=Origin.API,
            issued_at=ISSUED,
            status=status,
            changed_at=ISSUED,
        ),
        expires_at=ISSUED + timedelta(seconds=30),
        motion_expires_at=ISSUED + timedelta(seconds=120),
        published_at=ISSUED if published else None,
    )


def closed(command: OpenCommand, seconds: float) -> Closing | None:
    return close_overdue(command, ISSUED + timedelta(seconds=seconds), GRACE)


@pytest.mark.parametrize(("published", "reason"), [(True, "not_taken"), (False, "not_published")])
def test_an_order_that_nobody_began_expires(published: bool, reason: str) -> None:  # noqa: FBT001  # a parameter
    command = found(CommandStatus.ACCEPTED, published=published)
    assert closed(command, 44.9) is None
    assert closed(command, 45) == Closing(CommandStatus.EXPIRED, reason)


@pytest.mark.parametrize("status", [CommandStatus.SENT, CommandStatus.ACKNOWLEDGED])
def test_an_order_that_was_begun_and_never_ended_is_unknown(status: CommandStatus) -> None:
    assert closed(found(status), 134.9) is None
    assert closed(found(status), 135) == Closing(CommandStatus.FAILED, "outcome_unknown")


@pytest.mark.parametrize("status", sorted(FINAL_STATUSES))
def test_an_end_is_an_end(status: CommandStatus) -> None:
    assert closed(found(status), 10_000) is None
