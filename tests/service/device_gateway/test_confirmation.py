"""Orders that left for the mower: confirmed by what it reports, given up when it does not."""

from edge_gateway.contracts.commands import CommandKind, CommandStatus
from edge_gateway.contracts.mower import Activity, Job, Problem
from edge_gateway.device_gateway.settings import DeviceGatewaySettings
from tests.service.device_gateway.yard import Yard

IMPATIENT = DeviceGatewaySettings(confirm_seconds=0.3)


async def test_a_mower_that_does_not_answer_leaves_the_outcome_unknown(yard: Yard) -> None:
    await yard.life()
    yard.mower.answers = False
    yard.mower.moves = False
    command_id = await yard.order(CommandKind.START_MOW)
    outcome = await yard.final(command_id)
    assert (outcome.status, outcome.reason) == (CommandStatus.FAILED, "outcome_unknown")
    assert yard.mower.frames == ["start"]


async def test_a_job_that_begins_although_the_answer_was_lost_is_still_ours(yard: Yard) -> None:
    life = await yard.life()
    yard.mower.answers = False
    command_id = await yard.order(CommandKind.START_MOW)
    assert (await yard.final(command_id)).reason == "outcome_unknown"
    await life.driver.report()
    await yard.until(lambda: yard.states[-1].activity is Activity.MOWING)
    job = yard.states[-1].job
    assert job is not None
    assert job.command_id == command_id


async def test_started_means_seen_moving(yard: Yard) -> None:
    yard.mower.moves = False
    await yard.life(settings=IMPATIENT)
    command_id = await yard.order(CommandKind.START_MOW)
    outcome = await yard.final(command_id)
    assert (outcome.status, outcome.reason) == (CommandStatus.FAILED, "not_confirmed")
    assert outcome.values["activity"] == "docked"
    assert yard.statuses(command_id) == ["accepted", "sent", "acknowledged", "failed"]


async def test_an_error_during_a_start_that_works_is_not_the_verdict(yard: Yard) -> None:
    yard.mower.moves = False
    life = await yard.life()
    command_id = await yard.order(CommandKind.START_MOW)
    await yard.until(lambda: "acknowledged" in yard.statuses(command_id))
    yard.mower.become(Activity.ERROR, problem=Problem(code="vendor_2805"))
    await life.driver.report()
    yard.mower.become(Activity.MOWING, job=Job(id="job-1"), problem=None)
    await life.driver.report()
    assert (await yard.final(command_id)).status is CommandStatus.CONFIRMED


async def test_a_report_that_was_lost_is_asked_for_before_an_order_is_given_up(yard: Yard) -> None:
    yard.mower.moves = False
    await yard.life(settings=IMPATIENT)
    command_id = await yard.order(CommandKind.START_MOW)
    await yard.until(lambda: "acknowledged" in yard.statuses(command_id))
    yard.mower.become(Activity.MOWING, job=Job(id="job-1"))
    assert (await yard.final(command_id)).status is CommandStatus.CONFIRMED


async def test_a_newer_order_takes_an_unconfirmed_ones_place(yard: Yard) -> None:
    yard.mower.moves = False
    await yard.life()
    start = await yard.order(CommandKind.START_MOW)
    await yard.until(lambda: "acknowledged" in yard.statuses(start))
    yard.mower.moves = True
    yard.mower.become(Activity.IDLE)
    home = await yard.order(CommandKind.RETURN_TO_DOCK)
    assert (await yard.final(home)).status is CommandStatus.CONFIRMED
    outcome = await yard.final(start)
    assert (outcome.status, outcome.reason) == (CommandStatus.FAILED, "superseded")
