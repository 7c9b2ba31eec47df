"""Making, changing, deleting and listing schedules over the bus."""

from datetime import date, datetime, timedelta
from typing import Any

import pytest

from edge_gateway.contracts import routes, subjects
from edge_gateway.contracts.errors import (
    ConflictError,
    ForbiddenError,
    InvalidError,
    NotFoundError,
    UnavailableError,
)
from edge_gateway.contracts.principals import OWNER, Relation
from edge_gateway.contracts.schedules import (
    ListRunsRequest,
    ListSchedulesReply,
    ListSchedulesRequest,
    OnceRecurrence,
    RainSettings,
    ScheduleChanged,
    Target,
    WeeklyRecurrence,
)
from tests.service.scheduler.house import MOWER, NINE, SchedulerHouse

DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)
SECOND = timedelta(seconds=1)
OTHER = "user:other"


async def list_schedules(house: SchedulerHouse, principal: str = OWNER, **more: Any) -> ListSchedulesReply:  # noqa: ANN401  # any field
    request = ListSchedulesRequest(on_behalf_of=principal, account_id="home", **more)
    return await house.bus.request(routes.SCHEDULES_LIST, request)


async def test_a_schedule_is_answered_as_it_was_given_with_what_follows_from_it(house: SchedulerHouse) -> None:
    made = await house.create(
        recurrence=WeeklyRecurrence(days=("wed", "fri"), at="18:30"),
        starts_on=date(2026, 5, 7),
        ends_on=date(2026, 9, 30),
        area_ids=("area-2",),
        pattern={"angle": 45},
        rain=RainSettings(cooldown_hours=0),
        duration_minutes=90,
    )
    assert await house.get(made.id) == made
    assert (made.owner, made.effective_time_zone, made.time_zone) == (OWNER, "Europe/Berlin", None)
    assert made.next_run_at == datetime.fromisoformat("2026-05-08T16:30:00Z")
    assert made.next_effective_run_at == made.next_run_at
    assert (made.next_run_skipped, made.skips, made.last_run, made.disabled_reason) == (False, (), None, None)
    assert made.rain == RainSettings(cooldown_hours=0)
    [told] = await house.until_told(subjects.SCHEDULE_CHANGED, 1)
    assert told.decode(ScheduleChanged) == ScheduleChanged(schedule_id=made.id)


async def test_the_schedule_s_own_zone_wins_over_the_site_s(house: SchedulerHouse) -> None:
    made = await house.create(time_zone="Asia/Tokyo")
    assert (made.effective_time_zone, made.next_run_at) == ("Asia/Tokyo", NINE - timedelta(hours=7) + DAY)


async def test_a_disabled_schedule_has_no_next_run(house: SchedulerHouse) -> None:
    made = await house.create(enabled=False)
    assert (made.enabled, made.next_run_at, made.next_effective_run_at) == (False, None, None)
    await house.tick_at(NINE)
    assert await house.runs(made.id) == []


async def test_the_same_key_is_the_same_schedule(house: SchedulerHouse) -> None:
    made = await house.create(key="key-1")
    assert await house.create(key="key-1") == made
    await house.restart()
    assert await house.create(key="key-1") == made
    other = await house.create(key="key-2")
    assert other.id != made.id
    with pytest.raises(ConflictError) as reused:
        await house.create(key="key-1", name="Another")
    assert (reused.value.code, reused.value.field) == ("key_reused", "key")
    assert len((await list_schedules(house)).items) == 2


REFUSED: list[tuple[str, dict[str, Any]]] = [
    ("recurrence.days", {"recurrence": WeeklyRecurrence(days=(), at="09:00")}),
    ("recurrence.at", {"recurrence": WeeklyRecurrence(days=("mon",), at="25:00")}),
    ("recurrence", {"recurrence": OnceRecurrence(day=date(2026, 5, 3), at="09:00")}),
    (
        "recurrence",
        {
            "starts_on": date(2026, 5, 5),
            "ends_on": date(2026, 5, 5),
            "recurrence": WeeklyRecurrence(days=("mon",), at="09:00"),
        },
    ),
    ("duration_minutes", {"duration_minutes": 0}),
    ("time_zone", {"time_zone": "Nowhere/Land"}),
    ("area_ids", {"area_ids": ("area-1", "area-9")}),
    ("target.mower_id", {"target": Target(mower_id="mower-9")}),
    ("target.group_id", {"target": Target(group_id="group-1")}),
    ("max_hold_days", {"max_hold_days": 0}),
    ("rain.probability_percent", {"rain": RainSettings(probability_percent=101)}),
    ("key", {"key": ""}),
    ("key", {"key": "x" * 256}),
]


async def test_what_cannot_be_is_refused_with_its_field(house: SchedulerHouse) -> None:
    for field, changes in REFUSED:
        with pytest.raises(InvalidError) as refused:
            await house.create(**changes)
        assert refused.value.field == field
    assert (await list_schedules(house)).items == ()


async def test_making_needs_both_rights_and_a_person(house: SchedulerHouse) -> None:
    house.fleet.known |= {OTHER, "service:voice"}
    for relation in (Relation.CAN_EDIT_SCHEDULE, Relation.CAN_CONTROL):
        house.fleet.denied = {(OTHER, relation)}
        with pytest.raises(ForbiddenError) as refused:
            await house.create(principal=OTHER)
        assert (refused.value.code, refused.value.values) == ("forbidden", {"relation": relation})
    house.fleet.denied = {(OTHER, relation) for relation in Relation}
    with pytest.raises(InvalidError) as unseen:
        await house.create(principal=OTHER)
    assert unseen.value.field == "target.mower_id"
    with pytest.raises(ForbiddenError) as service:
        await house.create(principal="service:voice")
    assert service.value.code == "service_principal"
    with pytest.raises(ForbiddenError) as unknown:
        await house.create(principal="user:nobody")
    assert unknown.value.code == "unknown_principal"


async def test_without_fleet_nothing_is_made_and_the_error_says_so(house: SchedulerHouse) -> None:
    await house.fleet.stop()
    with pytest.raises(UnavailableError) as refused:
        await house.create()
    assert refused.value.code == "no_responder"


async def test_a_change_keeps_what_it_does_not_name(house: SchedulerHouse) -> None:
    made = await house.create(pattern={"angle": 10}, rain=RainSettings(cooldown_hours=1))
    after = await house.update(made.id, name="Back lawn", rain={"lookahead_hours": 5})
    assert (after.name, after.pattern, after.recurrence) == ("Back lawn", {"angle": 10}, made.recurrence)
    assert after.rain == RainSettings(cooldown_hours=1, lookahead_hours=5)
    assert (after.next_run_at, await house.get(made.id)) == (made.next_run_at, after)


async def test_only_some_changes_move_the_next_run(house: SchedulerHouse) -> None:
    made = await house.create()
    assert (await house.update(made.id, duration_minutes=30)).next_run_at == NINE
    assert (await house.update(made.id, recurrence={"at": "10:00"})).next_run_at == NINE + 60 * MINUTE
    assert (await house.update(made.id, starts_on="2026-05-06")).next_run_at == NINE + 2 * DAY + 60 * MINUTE
    assert (await house.update(made.id, time_zone="UTC")).next_run_at == NINE + 2 * DAY + 180 * MINUTE
    assert (await house.update(made.id, enabled=False)).next_run_at is None
    assert (await house.update(made.id, enabled=True, starts_on=None, time_zone=None)).next_run_at == NINE + 60 * MINUTE


async def test_whoever_changes_it_becomes_its_owner(house: SchedulerHouse) -> None:
    made = await house.create()
    house.fleet.known.add(OTHER)
    assert (await house.update(made.id, OTHER, name="Mine")).owner == OTHER
    await house.tick_at(NINE)
    assert house.fleet.starts[0].issued_by == OTHER
    assert (await house.run(made.id)).owner == OTHER


REFUSED_CHANGES: list[tuple[dict[str, Any], str]] = [
    ({"duration_minutes": 2000}, "duration_minutes"),
    ({"colour": "green"}, "colour"),
    ({"recurrence": {"at": "24:00"}}, "recurrence.at"),
    ({"area_ids": ["area-9"]}, "area_ids"),
    ({"target": {"mower_id": "mower-9"}}, "target.mower_id"),
    ({"recurrence": {"kind": "once", "day": "2026-05-01", "at": "09:00"}}, "recurrence"),
    ({"max_hold_days": 61}, "max_hold_days"),
]


async def test_a_change_that_cannot_be_is_refused_and_changes_nothing(house: SchedulerHouse) -> None:
    made = await house.create()
    for changes, field in REFUSED_CHANGES:
        with pytest.raises(InvalidError) as refused:
            await house.update(made.id, **changes)
        assert refused.value.field == field
    assert await house.get(made.id) == made


async def test_changing_needs_both_rights(house: SchedulerHouse) -> None:
    made = await house.create()
    house.fleet.known.add(OTHER)
    for relation in (Relation.CAN_EDIT_SCHEDULE, Relation.CAN_CONTROL):
        house.fleet.denied = {(OTHER, relation)}
        with pytest.raises(ForbiddenError):
            await house.update(made.id, OTHER, name="Mine")
        with pytest.raises(ForbiddenError):
            await house.delete(made.id, OTHER)
    house.fleet.denied = {(OTHER, relation) for relation in Relation}
    with pytest.raises(NotFoundError):
        await house.update(made.id, OTHER, name="Mine")
    with pytest.raises(NotFoundError):
        await house.get(made.id, OTHER)
    assert (await list_schedules(house, OTHER)).items == ()
    assert await house.get(made.id) == made


async def test_a_schedule_that_is_not_there(house: SchedulerHouse) -> None:
    for ask in (house.get, house.delete, house.skip, house.run_now):
        with pytest.raises(NotFoundError) as missing:
            await ask("none")
        assert missing.value.code == "not_found"


async def test_deleting_keeps_the_runs_and_the_mower_s_job(house: SchedulerHouse) -> None:
    made = await house.create()
    await house.tick_at(NINE)
    await house.delete(made.id)
    with pytest.raises(NotFoundError):
        await house.get(made.id)
    run = await house.run(made.id)
    assert run.outcome == "started"
    await house.tick_at(NINE + 180 * SECOND)
    assert (await house.run(made.id)).reason == "start_not_confirmed"
    told = await house.until_told(subjects.SCHEDULE_CHANGED, 3)
    assert told[-1].decode(ScheduleChanged) == ScheduleChanged(schedule_id=made.id, removed=True)


async def test_a_schedule_whose_mower_is_gone_can_be_disabled_and_deleted(house: SchedulerHouse) -> None:
    made = await house.create()
    other = await house.create(name="Other")
    del house.fleet.mowers[MOWER]
    assert {schedule.id for schedule in (await list_schedules(house)).items} == {made.id, other.id}
    with pytest.raises(InvalidError) as refused:
        await house.update(made.id, name="Renamed")
    assert refused.value.field == "target.mower_id"
    assert not (await house.update(made.id, enabled=False)).enabled
    await house.delete(made.id)
    await house.delete(other.id)
    assert (await list_schedules(house)).items == ()


async def test_pages_of_schedules(house: SchedulerHouse) -> None:
    house.fleet.add_mower("mower-2")
    made = [await house.create(name=f"Plan {number}") for number in range(5)]
    other = await house.create(target=Target(mower_id="mower-2"))
    first = await list_schedules(house, limit=4)
    second = await list_schedules(house, limit=4, after=first.next)
    ids = [schedule.id for schedule in (*first.items, *second.items)]
    assert ids == sorted(schedule.id for schedule in [*made, other])
    assert (len(first.items), second.next) == (4, None)
    assert [schedule.id for schedule in (await list_schedules(house, mower_id="mower-2")).items] == [other.id]
    with pytest.raises(InvalidError) as refused:
        await list_schedules(house, limit=0)
    assert refused.value.field == "limit"


async def test_pages_of_runs_newest_first(house: SchedulerHouse) -> None:
    await house.restart(static_weather="rain")
    made = await house.create()
    for number in range(5):
        await house.tick_at(NINE + number * DAY)
    seen = []
    before = None
    while True:
        request = ListRunsRequest(on_behalf_of=OWNER, account_id="home", schedule_id=made.id, limit=2, before=before)
        reply = await house.bus.request(routes.RUNS_LIST, request)
        seen += [run.occurrence_at for run in reply.items]
        before = reply.next
        if before is None:
            break
    assert seen == [NINE + number * DAY for number in (4, 3, 2, 1, 0)]
    house.fleet.known.add(OTHER)
    house.fleet.denied = {(OTHER, Relation.CAN_VIEW)}
    hidden = await house.bus.request(routes.RUNS_LIST, ListRunsRequest(on_behalf_of=OTHER, account_id="home"))
    assert hidden.items == ()
    with pytest.raises(InvalidError) as refused:
        await house.bus.request(routes.RUNS_LIST, ListRunsRequest(on_behalf_of=OWNER, account_id="home", before="x"))
    assert refused.value.field == "before"
