"""A gateway that dies at any step of an order: no frame leaves twice, and every order comes to an end."""

import asyncio
from datetime import timedelta

import pytest

from edge_gateway.contracts.commands import CommandKind, CommandStatus
from edge_gateway.contracts.mower import Activity
from edge_gateway.device_gateway.actor import Actor
from tests.eventually import eventually
from tests.service.device_gateway.fate import Fate, When
from tests.service.device_gateway.yard import Life, Yard

STEPS = [
    "last",
    "publish accepted",
    "request",
    "take_in_hand",
    "publish sent",
    "acknowledge",
    "frame cancel",
    "frame start",
    "publish telemetry",
    "publish acknowledged",
    "save_job",
    "acknowledged",
    "publish confirmed",
    "let_go",
]
"""What is done from the arrival of a start to its end, an open job in the way; some of it at the same time."""


async def begin_with_an_open_job(yard: Yard, fate: Fate) -> Life:
    yard.mower.become(Activity.DOCKED, job=yard.mower.open_job())
    return await yard.life(fate=fate)


async def test_the_steps_are_the_ones_that_the_kills_below_hit(yard: Yard) -> None:
    fate = Fate()
    await begin_with_an_open_job(yard, fate)
    await yard.final(await yard.order(CommandKind.START_MOW))

    async def let_go() -> bool:
        return "let_go" in fate.steps

    await eventually(let_go)
    assert set(fate.steps) >= set(STEPS)
    before_the_frame = [step for step in fate.steps if step in STEPS[: STEPS.index("frame start") + 1]]
    assert before_the_frame == STEPS[: STEPS.index("frame start") + 1]


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("step", STEPS)
async def test_killed_at_a_step_nothing_is_sent_twice_and_the_order_ends(yard: Yard, step: str, when: When) -> None:
    fate = Fate(dies_at=step, when=when)
    first = await begin_with_an_open_job(yard, fate)
    command_id = await yard.order(CommandKind.START_MOW)
    async with asyncio.timeout(5):
        await fate.died.wait()
    await first.kill()
    frames = list(yard.mower.frames)
    was_sent = "publish sent" in fate.done or (step == "publish sent" and when == "after")

    await yard.life()
    outcome = await yard.final(command_id)

    assert yard.mower.frames in ([], ["cancel"], ["cancel", "start"])
    if was_sent:
        assert yard.mower.frames == frames, "what was perhaps sent is not sent again"
    if "take_in_hand" in fate.done or (step == "take_in_hand" and when == "after"):
        expected = {("failed", "outcome_unknown"), ("confirmed", None)}
        assert (outcome.status, outcome.reason) in expected
    else:
        assert outcome.status is CommandStatus.CONFIRMED
    if outcome.status is CommandStatus.CONFIRMED:
        assert yard.mower.frames == ["cancel", "start"]


async def test_a_job_that_a_killed_gateway_started_is_still_its_commands(yard: Yard) -> None:
    fate = Fate(dies_at="frame start", when="after")
    first = await begin_with_an_open_job(yard, fate)
    command_id = await yard.order(CommandKind.START_MOW)
    await fate.died.wait()
    await first.kill()
    await yard.life()
    outcome = await yard.final(command_id)
    assert outcome.reason == "outcome_unknown"
    await yard.until(lambda: yard.states[-1].activity is Activity.MOWING)
    job = yard.states[-1].job
    assert job is not None
    assert job.command_id == command_id


async def test_an_acknowledged_order_is_followed_to_its_end_by_the_next_life(yard: Yard) -> None:
    yard.mower.moves = False
    first = await yard.life()
    command_id = await yard.order(CommandKind.START_MOW)
    await yard.until(lambda: "acknowledged" in yard.statuses(command_id))

    async def written() -> bool:
        return "acknowledged" in first.fate.steps

    await eventually(written)
    await first.kill()
    second = await yard.life()
    yard.mower.become(Activity.MOWING)
    await second.driver.report()
    assert (await yard.final(command_id)).status is CommandStatus.CONFIRMED
    assert yard.mower.frames == ["start"]


async def test_without_the_lease_nothing_is_sent_and_the_next_holder_gets_the_order(yard: Yard) -> None:
    first = await yard.life()
    taken = asyncio.Event()

    async def another_gateway_takes_over(_frame: str) -> None:
        first.driver.before_frame = None
        await first.leases[-1].release()
        yard_bus = yard.bus
        lease = await yard_bus.acquire_lease("mower-mower-1", holder="instance-2")
        assert lease is not None
        taken.set()
        await asyncio.sleep(0.05)

    first.driver.before_frame = another_gateway_takes_over
    command_id = await yard.order(CommandKind.START_MOW)
    await taken.wait()
    await first.stop()
    assert yard.mower.frames == []
    second = await yard.life(holder="instance-2")
    assert (await yard.final(command_id)).status is CommandStatus.CONFIRMED
    assert yard.mower.frames == ["start"]
    assert second.leases[-1].held


async def test_a_lease_lost_between_two_frames_keeps_the_second_back(yard: Yard) -> None:
    first = await begin_with_an_open_job(yard, Fate())

    async def lose(frame: str) -> None:
        if frame == "start":
            await first.leases[-1].release()

    first.driver.before_frame = lose
    outcome = await yard.final(await yard.order(CommandKind.START_MOW))
    assert (outcome.status, outcome.reason) == (CommandStatus.FAILED, "outcome_unknown")
    assert yard.mower.frames == ["cancel"]


async def test_another_gateway_waits_while_the_lease_is_held(yard: Yard) -> None:
    first = await yard.life()
    second = await yard.unborn(holder="instance-2")
    second.supervisor.start()
    await asyncio.sleep(0.3)
    assert second.supervisor.actor is None, "while the lease is held"
    await first.stop()

    async def followed() -> Actor | None:
        return second.supervisor.actor

    await eventually(followed)
    await yard.final(await yard.order(CommandKind.START_MOW))
    assert yard.mower.frames == ["start"]


async def test_an_order_of_a_dead_gateway_that_is_too_old_then_is_not_sent(yard: Yard) -> None:
    first = await yard.life()
    await first.kill()
    command_id = await yard.order(CommandKind.START_MOW)
    yard.clock.offset += timedelta(seconds=31)
    await yard.life()
    assert yard.mower.frames == []
    # The stream may have dropped the order by its age; then nobody tells, and the fleet's own limit ends it.
    if yard.statuses(command_id):
        assert (await yard.final(command_id)).reason == "expired"
