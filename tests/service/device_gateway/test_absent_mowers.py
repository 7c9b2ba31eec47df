"""A mower that nobody drives any more does not look available for ever."""

from edge_gateway.contracts import subjects
from edge_gateway.contracts.envelope import wrap
from edge_gateway.contracts.identifiers import new_id
from edge_gateway.contracts.mower import MowerAvailability
from edge_gateway.device_gateway.absent_mowers import AbsentMowers
from edge_gateway.device_gateway.repository import KnownMower, Repository
from edge_gateway.device_gateway.roster import Roster
from edge_gateway.device_gateway.supervisor import Supervisor, lease_name
from tests.service.device_gateway.outside import MOWER_ID
from tests.service.device_gateway.yard import Yard

KNOWN = KnownMower(
    mower_id=MOWER_ID, account_id="home", provider="simulator", vendor_key="SIM-0001", vendor_account_id=None
)


def no_supervisor(*_: object) -> Supervisor:
    raise AssertionError


async def leave_available(yard: Yard) -> None:
    """Leave behind what a killed gateway leaves."""
    now = yard.clock.now()
    event = MowerAvailability(mower_id=MOWER_ID, account_id="home", available=True, changed_at=now)
    envelope = wrap(
        event,
        id=new_id(),
        type=subjects.AVAILABILITY_TYPE,
        occurred_at=now,
        account_id="home",
        subject_id=MOWER_ID,
    )
    await yard.bus.publish(subjects.availability_subject(MOWER_ID), envelope)
    await yard.until(lambda: bool(yard.availabilities))


def looking(yard: Yard, repository: Repository) -> AbsentMowers:
    roster = Roster(no_supervisor, bus=yard.bus, repository=repository, retry_seconds=0.05)
    roster.remember([KNOWN])
    return AbsentMowers(roster, bus=yard.bus, clock=yard.clock, instance_id="instance-1", look_seconds=0.02)


async def test_what_a_killed_gateway_left_available_is_put_right(yard: Yard, repository: Repository) -> None:
    await leave_available(yard)
    await looking(yard, repository).look()
    await yard.until(lambda: not yard.availabilities[-1].available)
    assert yard.availabilities[-1].reason == "not_found"
    lease = await yard.bus.acquire_lease(lease_name(MOWER_ID), holder="instance-1")
    assert lease is not None, "the lease is free again for who finds the mower"


async def test_a_mower_that_another_gateway_drives_is_left_alone(yard: Yard, repository: Repository) -> None:
    await leave_available(yard)
    lease = await yard.bus.acquire_lease(lease_name(MOWER_ID), holder="instance-2")
    assert lease is not None
    await looking(yard, repository).look()
    assert lease.held
    last = await yard.bus.last(subjects.availability_subject(MOWER_ID))
    assert last is not None
    assert last.decode(MowerAvailability).available
