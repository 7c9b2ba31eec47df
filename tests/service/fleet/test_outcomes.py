"""How far commands come: outcomes in any order, crashes at every step, ends that nobody reports."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest

from edge_gateway.bus.jetstream import JetStreamBus
from edge_gateway.contracts import routes, subjects
from edge_gateway.contracts.commands import (
    CommandOutcome,
    CommandStatus,
    GetCommandRequest,
    IssueCommandRequest,
)
from edge_gateway.contracts.device import Nothing
from edge_gateway.contracts.envelope import Envelope, wrap
from edge_gateway.contracts.errors import InvalidError, NotFoundError, UnavailableError
from edge_gateway.contracts.identifiers import new_id
from edge_gateway.contracts.principals import OWNER, Origin
from edge_gateway.fleet.command_desk import CommandDesk
from edge_gateway.fleet.rights import Rights
from tests.eventually import eventually
from tests.service.fleet.house import START, FleetHouse

ACCEPTED, SENT, ACKNOWLEDGED = CommandStatus.ACCEPTED, CommandStatus.SENT, CommandStatus.ACKNOWLEDGED
CONFIRMED, FAILED, EXPIRED = CommandStatus.CONFIRMED, CommandStatus.FAILED, CommandStatus.EXPIRED


@pytest.fixture
async def outcomes(bus: JetStreamBus) -> AsyncIterator[list[CommandOutcome]]:
    """Return every outcome that was told from now on."""
    told: list[CommandOutcome] = []

    async def take(envelope: Envelope) -> None:
        told.append(envelope.decode(CommandOutcome))

    subscription = await bus.subscribe(subjects.ALL_OUTCOMES, take, acknowledge=False)
    yield told
    await subscription.unsubscribe()


def request(house: FleetHouse, key: str = "k") -> IssueCommandRequest:
    return IssueCommandRequest(
        key=key, on_behalf_of=OWNER, account_id="home", mower_id=house.mower_id, command=START, origin=Origin.API
    )


@pytest.mark.parametrize(
    ("told", "left"),
    [
        ((SENT, ACKNOWLEDGED, CONFIRMED), CONFIRMED),
        ((ACKNOWLEDGED, SENT, CONFIRMED), CONFIRMED),
        ((CONFIRMED, ACKNOWLEDGED, SENT), CONFIRMED),
        ((FAILED, CONFIRMED, SENT), FAILED),
        ((EXPIRED, SENT), EXPIRED),
        ((SENT, ACKNOWLEDGED), ACKNOWLEDGED),
    ],
)
async def test_a_status_only_moves_up(house: FleetHouse, told: tuple[CommandStatus, ...], left: CommandStatus) -> None:
    command = (await house.issue()).command
    for status in told:
        await house.tell_outcome(command, status, reason=f"because_{status}")
        if status is left:
            # The bus keeps the last word on a command alone: it is heard before there is another.
            await house.until_status(command.id, left)
    # One more of another command: when it is recorded, the ones before it have been.
    marker = (await house.issue("marker")).command
    await house.tell_outcome(marker, CONFIRMED)
    await house.until_status(marker.id, CONFIRMED)
    recorded = await house.command(command.id)
    assert (recorded.status, recorded.reason, recorded.values) == (left, f"because_{left}", {"seconds": 3})
    assert recorded.changed_at > command.changed_at


async def test_an_outcome_of_nobodys_command_stops_nothing(house: FleetHouse) -> None:
    command = (await house.issue()).command
    stranger = command.__class__(**{**{f: getattr(command, f) for f in command.__struct_fields__}, "id": "nobody"})
    await house.tell_outcome(stranger, FAILED)
    await house.tell_outcome(command, CONFIRMED)
    await house.until_status(command.id, CONFIRMED)


async def test_a_command_is_found_by_its_issuers_key(house: FleetHouse) -> None:
    command = (await house.issue("k1", origin=Origin.VOICE)).command
    found = await house.bus.request(
        routes.COMMANDS_GET,
        GetCommandRequest(on_behalf_of=OWNER, account_id="home", key="k1", origin=Origin.VOICE),
    )
    assert found == command
    with pytest.raises(NotFoundError):
        await house.bus.request(
            routes.COMMANDS_GET,
            GetCommandRequest(on_behalf_of=OWNER, account_id="home", key="k1", origin=Origin.API),
        )
    with pytest.raises(InvalidError):
        await house.bus.request(routes.COMMANDS_GET, GetCommandRequest(on_behalf_of=OWNER, account_id="home"))


async def test_a_begun_order_whose_end_nobody_reports_is_unknown_once(
    house: FleetHouse, outcomes: list[CommandOutcome]
) -> None:
    command = (await house.issue()).command
    await house.tell_outcome(command, SENT)
    await house.until_status(command.id, SENT)
    house.clock.offset = timedelta(seconds=122)
    closed = await house.until_status(command.id, FAILED)
    assert closed.reason == "outcome_unknown"

    async def told_failed() -> list[CommandOutcome]:
        return [outcome for outcome in outcomes if (outcome.command_id, outcome.status) == (command.id, FAILED)]

    await eventually(told_failed)
    # A report that comes after all changes nothing.
    await house.tell_outcome(command, CONFIRMED)
    marker = (await house.issue("marker")).command
    await house.tell_outcome(marker, CONFIRMED)
    await house.until_status(marker.id, CONFIRMED)
    assert await house.command(command.id) == closed
    assert [outcome.reason for outcome in await told_failed()] == ["outcome_unknown"]


async def test_an_order_that_nobody_took_expires(house: FleetHouse, outcomes: list[CommandOutcome]) -> None:
    command = (await house.issue()).command
    house.clock.offset = timedelta(seconds=32)
    closed = await house.until_status(command.id, EXPIRED)
    assert closed.reason == "not_taken"

    async def told() -> bool:
        return [(o.command_id, o.status, o.reason) for o in outcomes] == [(command.id, EXPIRED, "not_taken")]

    await house.until(told)


async def test_a_report_that_cannot_be_read_keeps_no_command_open(house: FleetHouse) -> None:
    spoilt, other = (await house.issue("spoilt")).command, (await house.issue("other")).command
    report = wrap(
        Nothing(),
        id=new_id(),
        type=subjects.OUTCOME_TYPE,
        occurred_at=house.clock.now(),
        account_id="home",
        subject_id=spoilt.id,
    )
    await house.bus.publish(subjects.outcome_subject(spoilt.mower_id, spoilt.id), report)
    house.clock.offset = timedelta(seconds=32)
    for command in (spoilt, other):
        assert (await house.until_status(command.id, EXPIRED)).reason == "not_taken"


async def test_a_report_that_lies_on_the_bus_is_taken_before_a_command_is_closed(house: FleetHouse) -> None:
    command = (await house.issue()).command
    await house.stop()
    await house.tell_outcome(command, CONFIRMED)
    house.clock.offset = timedelta(seconds=500)
    await house.start_again()
    assert (await house.command(command.id)).status is CONFIRMED


async def test_a_crash_between_record_and_publication_sends_nothing_and_expires(
    house: FleetHouse, outcomes: list[CommandOutcome]
) -> None:
    stuck = StuckBus(house.bus)
    desk = CommandDesk(stuck, house.pool, house.clock, Rights(house.clock), publish_timeout_seconds=20)
    issuing = asyncio.create_task(desk.issue(request(house)))
    await asyncio.wait_for(stuck.reached.wait(), 10)
    # The crash: everything stops here.
    issuing.cancel()
    await asyncio.gather(issuing, return_exceptions=True)
    await house.stop()

    await house.start_again()
    reply = await house.issue("k")
    assert reply.repeated
    assert reply.command.status is ACCEPTED
    await house.stop()

    house.clock.offset = timedelta(seconds=32)
    await house.start_again()
    closed = await house.command(reply.command.id)
    assert (closed.status, closed.reason) == (EXPIRED, "not_published")
    await house.nothing_more_is_ordered()
    assert house.orders == []

    async def told() -> bool:
        return [(o.command_id, o.status) for o in outcomes] == [(closed.id, EXPIRED)]

    await house.until(told)


async def test_a_crash_after_the_publication_leaves_the_order_to_the_mower(house: FleetHouse) -> None:
    stuck = StuckBus(house.bus, publishes=True)
    desk = CommandDesk(stuck, house.pool, house.clock, Rights(house.clock), publish_timeout_seconds=20)
    issuing = asyncio.create_task(desk.issue(request(house)))
    await asyncio.wait_for(stuck.reached.wait(), 10)
    issuing.cancel()
    await asyncio.gather(issuing, return_exceptions=True)

    reply = await house.issue("k")
    assert reply.repeated
    await house.tell_outcome(reply.command, CONFIRMED)
    await house.until_status(reply.command.id, CONFIRMED)
    await house.nothing_more_is_ordered()
    assert [order.command_id for order in house.orders] == [reply.command.id]


@pytest.mark.parametrize("failure", ["refused", "silent"])
async def test_a_bus_that_does_not_take_the_order_fails_it_for_good(
    house: FleetHouse, outcomes: list[CommandOutcome], failure: str
) -> None:
    broken = StuckBus(house.bus, refuses=failure == "refused")
    desk = CommandDesk(broken, house.pool, house.clock, Rights(house.clock), publish_timeout_seconds=0.2)
    reply = await desk.issue(request(house))
    assert (reply.command.status, reply.command.reason) == (FAILED, "unavailable")
    again = await house.issue("k")
    assert again.repeated
    assert again.command == reply.command
    await house.nothing_more_is_ordered()
    assert house.orders == []

    async def told() -> bool:
        return [(o.command_id, o.status, o.reason) for o in outcomes] == [(reply.command.id, FAILED, "unavailable")]

    await house.until(told)


async def test_an_order_whose_record_took_too_long_is_not_published(house: FleetHouse) -> None:
    lock = await house.pool.acquire()
    try:
        transaction = lock.transaction()
        await transaction.start()
        await lock.execute("LOCK TABLE fleet.command IN SHARE MODE")
        issuing = asyncio.create_task(house.issue("k"))

        async def waits() -> bool:
            return bool(await house.pool.fetchval("SELECT count(*) FROM pg_locks WHERE NOT granted"))

        await house.until(waits)
        house.clock.offset = timedelta(seconds=31)
        await transaction.rollback()
    finally:
        await house.pool.release(lock)
    command = (await issuing).command
    assert (command.status, command.reason) == (EXPIRED, "not_published")
    await house.nothing_more_is_ordered()
    assert house.orders == []


class StuckBus:
    """The real bus, but for publications that never return or are refused."""

    def __init__(self, bus: JetStreamBus | Any, *, publishes: bool = False, refuses: bool = False) -> None:  # noqa: ANN401  # an EventBus
        """Hand on what is published (`publishes`) or not, and refuse it or stay silent."""
        self._bus = bus
        self._publishes = publishes
        self._refuses = refuses
        self.reached = asyncio.Event()

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  # everything else is the real bus
        """Do everything else as the real bus does."""
        return getattr(self._bus, name)

    async def publish(self, subject: str, envelope: Envelope) -> None:
        """Publish or not, and never say so."""
        if self._publishes:
            await self._bus.publish(subject, envelope)
        self.reached.set()
        if self._refuses:
            raise UnavailableError("bus_unavailable", "The bus is not available.")
        await asyncio.Event().wait()
