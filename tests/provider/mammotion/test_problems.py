"""What is wrong now and what the mower remembers are two things."""

from pymammotion.utility.constant import WorkMode

from edge_gateway.contracts.problems import ProblemSeverity
from edge_gateway.device_gateway.problem_words import problems_of
from tests.emulators.mammotion.member import Member
from tests.provider.mammotion.hands import Followed


async def test_the_current_problem_goes_and_the_log_stays(mower: Followed, member: Member) -> None:
    member.mower.error_codes = [(1003, 1_780_000_000), (1202, 1_780_000_100)]
    member.mower.status.charge_state = 0
    member.mower.status.mode = WorkMode.MODE_SYSTEM_ERROR
    member.announce()
    await mower.driver.refresh()
    await mower.seen(lambda state: state.problem is not None and state.problem.code == "system_error")
    await mower.until(lambda: len(mower.driver.problem_log) == 2)
    await mower.driver.refresh()
    await mower.seen(lambda state: state.problem is not None and state.problem.code == "blade_blocked")

    told = problems_of(mower.driver)
    assert told.current is not None
    assert (told.current.problem.vendor_code, told.current.severity) == ("1202", ProblemSeverity.ERROR)
    assert told.current.words["de"].cause
    assert [entry.problem.code for entry in told.log] == ["blade_blocked", "rain"]
    assert told.log[0].logged_at is not None

    member.mower.status.mode = WorkMode.MODE_READY
    await mower.driver.refresh()
    await mower.seen(lambda state: state.problem is None)
    told = problems_of(mower.driver)
    assert told.current is None
    assert len(told.log) == 2
