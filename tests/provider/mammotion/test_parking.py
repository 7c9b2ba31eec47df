"""What the Scheduler leans on: sent home, a mower stays until it is ordered out; one that only charges does not."""

from datetime import datetime

from edge_gateway.contracts.mower import Activity
from edge_gateway.device_gateway.provider import DriverState
from tests.emulators.mammotion.member import Member
from tests.provider.mammotion.hands import Followed, orders

START, PAUSE, RETURN = 1, 2, 5
LOW = 10.0
NEARLY_FULL = 99.0


async def _after(mower: Followed, moment: datetime) -> DriverState:
    """Return the next report."""
    return await mower.seen(lambda state: state.observed_at > moment)


async def test_sent_home_it_stays_with_its_job_open_and_one_that_ran_low_leaves_by_itself(
    mower: Followed, member: Member
) -> None:
    job_id = await mower.start_mowing()
    await mower.driver.return_to_dock(mower.may_move)
    await mower.is_doing(Activity.DOCKED)
    member.mower.status.battery_percent = NEARLY_FULL
    state = await mower.seen(lambda state: state.battery_percent == 100)
    for _ in range(2):
        state = await _after(mower, state.observed_at)
        assert state.job is not None
        assert (state.activity, state.job.id, state.job.resumable) == (Activity.DOCKED, job_id, True)
    assert orders(member) == [START, PAUSE, RETURN]

    await mower.driver.resume(mower.may_move)
    await mower.is_doing(Activity.MOWING)
    member.mower.status.battery_percent = LOW
    await mower.is_doing(Activity.DOCKED)
    member.mower.status.battery_percent = NEARLY_FULL
    left = await mower.is_doing(Activity.MOWING)
    assert left.job is not None
    assert left.job.id == job_id
    assert orders(member) == [START, PAUSE, RETURN, START]
