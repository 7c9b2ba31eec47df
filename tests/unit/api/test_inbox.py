"""What waits to be told."""

from datetime import UTC, datetime

import msgspec

from edge_gateway.api.events.inbox import Gap, GatewayAlive, Inbox
from edge_gateway.contracts.envelope import Envelope

NOW = datetime(2026, 5, 1, 9, tzinfo=UTC)


def event(event_id: str) -> Envelope:
    return Envelope(
        id=event_id,
        type="notifications.event",
        occurred_at=NOW,
        account_id="home",
        subject_id="m1",
        payload=msgspec.Raw(b"{}"),
    )


async def test_each_event_once_and_in_order() -> None:
    inbox = Inbox()
    for event_id in ("a", "b", "a", "c", "b"):
        await inbox.take(event(event_id))
    inbox.put(GatewayAlive())
    items = [await inbox.next() for _ in range(4)]
    assert [item.id for item in items if isinstance(item, Envelope)] == ["a", "b", "c"]
    assert items[-1] == GatewayAlive()


async def test_too_many_events_are_a_gap_after_those_that_wait() -> None:
    inbox = Inbox(limit=2)
    for event_id in ("a", "b", "c", "d"):
        await inbox.take(event(event_id))
    assert [await inbox.next() for _ in range(3)] == [event("a"), event("b"), Gap("overflow")]
    await inbox.take(event("e"))
    assert await inbox.next() == event("e")
