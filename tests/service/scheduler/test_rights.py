"""Rights that come and go, with the real Fleet: whose schedules are, who runs them, and what is left of who is gone."""

from datetime import timedelta

from edge_gateway.contracts import routes, subjects
from edge_gateway.contracts.commands import CommandKind, CommandStatus
from edge_gateway.contracts.fleet import Asking
from edge_gateway.contracts.grants import Grant, OwnerGone, PutPrincipalsRequest, User
from edge_gateway.contracts.mower import Activity, Job
from edge_gateway.contracts.principals import OWNER, Relation
from edge_gateway.contracts.schedules import ListRunsRequest, NamedSchedule, Target
from tests.eventually import eventually
from tests.service.scheduler.house import NINE
from tests.service.scheduler.with_fleet import SECOND, WholeHouse

ANNA = "user:anna"
BERT = "user:bert"
DAY = timedelta(days=1)
GROUNDS = (Relation.CAN_CONTROL, Relation.CAN_EDIT_SCHEDULE)


async def send(whole: WholeHouse, revision: int, *relations: Relation, knows_bert: bool = True) -> None:
    """Make a house known in which Anna may do everything, and Bert what is said with the one mower."""
    grants = [Grant(principal=ANNA, relations=tuple(Relation), account=True)]
    if relations:
        grants.append(Grant(principal=BERT, relations=relations, mower_ids=(whole.mower_id,)))
    users = (User(id=ANNA, name="Anna"), *((User(id=BERT, name="Bert"),) if knows_bert else ()))
    request = PutPrincipalsRequest(
        on_behalf_of=OWNER,
        account_id="home",
        instance_id="house",
        revision=revision,
        owner=ANNA,
        users=users,
        grants=tuple(grants),
    )
    await whole.bus.request(routes.PRINCIPALS_PUT, request)


async def gone_as_seen_by(whole: WholeHouse, principal: str) -> tuple[OwnerGone, ...]:
    asking = Asking(on_behalf_of=principal, account_id="home")
    return (await whole.bus.request(routes.OWNERS_GONE, asking)).items


async def passed_to_anna(whole: WholeHouse, schedule_id: str) -> bool:
    return (await whole.get(schedule_id)).owner == ANNA


async def test_with_the_first_set_schedules_and_open_runs_pass_to_the_owner(whole: WholeHouse) -> None:
    made = await whole.create(
        target=Target(mower_id=whole.mower_id), duration_minutes=60, return_to_dock_at_window_end=True
    )
    await whole.tick_at(NINE)
    [start] = await whole.real.until_heard(1)
    await whole.until_told(subjects.SCHEDULE_CHANGED, 2)
    await send(whole, 1)
    await eventually(lambda: passed_to_anna(whole, made.id))
    told = await whole.until_told(subjects.SCHEDULE_CHANGED, 3)
    assert told[-1].subject_id == made.id
    run = await whole.run()
    assert (run.outcome, run.owner, start.issued_by) == ("started", ANNA, OWNER)
    # Its order is still its own, and what follows is ordered in her name.
    await whole.tick_at(NINE + 5 * SECOND)
    job = Job(id="job-1", command_id=start.command_id)
    await whole.report(Activity.MOWING, NINE + 10 * SECOND, mower_id=whole.mower_id, job=job)
    await whole.tick_at(NINE + 11 * SECOND)
    await whole.report(Activity.MOWING, NINE + 3590 * SECOND, mower_id=whole.mower_id, job=job)
    await whole.tick_at(NINE + 3601 * SECOND)
    home = (await whole.real.until_heard(2))[1]
    assert (home.body.kind, home.issued_by) == (CommandKind.RETURN_TO_DOCK, ANNA)
    # What is made later stays with whoever makes it.
    later = await whole.create(target=Target(mower_id=whole.mower_id))
    await send(whole, 2, Relation.CAN_VIEW)
    assert later.owner == (await whole.get(later.id)).owner == OWNER


async def test_an_owner_who_lost_the_right_is_skipped_and_one_who_is_gone_is_told_of(whole: WholeHouse) -> None:
    await send(whole, 1, *GROUNDS)
    made = await whole.create(target=Target(mower_id=whole.mower_id), principal=BERT, name="Lawn")
    await send(whole, 2, Relation.CAN_VIEW)
    await whole.tick_at(NINE)
    run = await whole.run()
    assert (run.outcome, run.reason, run.final, run.owner) == ("skipped_permission", "forbidden", True, BERT)
    assert await gone_as_seen_by(whole, OWNER) == ()

    await send(whole, 3, knows_bert=False)
    [left] = await gone_as_seen_by(whole, OWNER)
    assert (left.principal, left.name, left.schedules) == (BERT, "Bert", (NamedSchedule(id=made.id, name="Lawn"),))
    assert left.gone_at is not None
    await whole.tick_at(NINE + DAY)
    newest = (await whole.runs(made.id))[-1]
    assert (newest.outcome, newest.reason) == ("skipped_permission", "unknown_principal")
    assert await whole.real.commands_recorded() == 0

    # Reassigned: whoever saves what was left has it, as it is. What was not left is only its own.
    taken = await whole.update(made.id, ANNA, name="Lawn")
    assert (taken.owner, taken.next_run_at, await gone_as_seen_by(whole, OWNER)) == (ANNA, NINE + 2 * DAY, ())
    assert (await whole.update(made.id, OWNER, name="Lawn")).owner == ANNA


async def test_a_mower_of_a_gone_owner_is_sent_home_by_the_owner_of_the_house(whole: WholeHouse) -> None:
    await send(whole, 1, *GROUNDS)
    made = await whole.create(
        target=Target(mower_id=whole.mower_id), principal=BERT, duration_minutes=60, return_to_dock_at_window_end=True
    )
    await whole.tick_at(NINE)
    [start] = await whole.real.until_heard(1)
    assert start.issued_by == BERT
    await send(whole, 2, knows_bert=False)
    job = Job(id="job-1", command_id=start.command_id)
    await whole.report(Activity.MOWING, NINE + 10 * SECOND, mower_id=whole.mower_id, job=job)
    await whole.tick_at(NINE + 11 * SECOND)
    await whole.report(Activity.MOWING, NINE + 3590 * SECOND, mower_id=whole.mower_id, job=job)
    await whole.tick_at(NINE + 3601 * SECOND)
    home = (await whole.real.until_heard(2))[1]
    assert (home.body.kind, home.issued_by) == (CommandKind.RETURN_TO_DOCK, ANNA)
    command = await whole.real.command(home.command_id)
    await whole.real.tell_outcome(command, CommandStatus.CONFIRMED)
    await whole.report(Activity.DOCKED, NINE + 3700 * SECOND, mower_id=whole.mower_id)
    await whole.tick_at(NINE + 3701 * SECOND)
    assert (await whole.runs(made.id))[0].end_reason == "window_end"
    # Runs are told to those who see the mower; nobody knows Bert any more.
    seen = await whole.bus.request(routes.RUNS_LIST, ListRunsRequest(on_behalf_of=ANNA, account_id="home"))
    assert len(seen.items) == 1
