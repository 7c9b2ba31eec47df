"""The small row per mower, kept from its live reports."""

from datetime import timedelta

import pytest

from edge_gateway.contracts import subjects
from edge_gateway.contracts.envelope import wrap
from edge_gateway.contracts.fleet import MowerChanged
from edge_gateway.contracts.identifiers import new_id
from edge_gateway.contracts.map import Area, MowerMap
from edge_gateway.contracts.mower import Activity, Job, MowerAvailability, MowerState, Position
from edge_gateway.scheduler.records import MowerRecord
from edge_gateway.scheduler.repository import mower_rows
from tests.eventually import eventually
from tests.service.scheduler.house import MOWER, NINE, SchedulerHouse

SECOND = timedelta(seconds=1)


async def row(house: SchedulerHouse) -> MowerRecord:
    async with house.pool.acquire() as connection:
        return await mower_rows.get(connection, MOWER, "home")


async def save(house: SchedulerHouse, *states: MowerState) -> list[bool]:
    async with house.pool.acquire() as connection:
        return [await mower_rows.save_state(connection, state) for state in states]


async def save_maps(house: SchedulerHouse, *maps: MowerMap) -> None:
    async with house.pool.acquire() as connection:
        for each in maps:
            await mower_rows.save_map(connection, each)


def state(seconds: float, activity: Activity, job: Job | None = None, **more: object) -> MowerState:
    values = {"mower_id": MOWER, "account_id": "home", "observed_at": NINE + seconds * SECOND, "activity": activity}
    return MowerState(**values | {"job": job} | more)  # type: ignore[arg-type]  # fields by name


def mapped(seconds: float, *areas: str, complete: bool = True, latitude: float | None = None) -> MowerMap:
    return MowerMap(
        mower_id=MOWER,
        account_id="home",
        observed_at=NINE + seconds * SECOND,
        complete=complete,
        areas=tuple(Area(id=area, vendor_key=area, name=area) for area in areas),
        origin_latitude=latitude,
        origin_longitude=None if latitude is None else 13.0,
    )


async def test_a_mower_that_was_never_heard_of_is_unknown_and_not_docked(house: SchedulerHouse) -> None:
    found = await row(house)
    assert (found.activity, found.observed_at, found.available) == (Activity.UNKNOWN, None, None)


async def test_live_reports_are_kept(house: SchedulerHouse) -> None:
    position = Position(latitude=52.5, longitude=13.4)
    await house.report(Activity.MOWING, NINE, job=Job(id="j", command_id="c"), position=position, progress_percent=10.0)

    async def look() -> MowerRecord | None:
        found = await row(house)
        return found if found.observed_at == NINE else None

    found = await eventually(look)
    assert found is not None
    assert (found.activity, found.busy_at, found.busy_command_id, found.job_id) == (Activity.MOWING, NINE, "c", "j")
    assert (found.latitude, found.longitude, found.progress_percent) == (52.5, 13.4, 10.0)


async def test_of_many_reports_few_are_written_and_a_change_of_activity_at_once(house: SchedulerHouse) -> None:
    await house.pool.execute("CREATE TABLE written (observed_at timestamptz)")
    await house.pool.execute(
        "CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS"
        " $$ BEGIN INSERT INTO written VALUES (new.observed_at); RETURN new; END $$"
    )
    await house.pool.execute(
        "CREATE TRIGGER note AFTER INSERT OR UPDATE ON scheduler.mower FOR EACH ROW EXECUTE FUNCTION note()"
    )
    for seconds in range(45):
        await house.report(Activity.MOWING, NINE + seconds * SECOND)
    await house.report(Activity.RETURNING, NINE + 45 * SECOND)

    async def look() -> bool:
        return (await row(house)).activity is Activity.RETURNING

    await eventually(look)
    assert (await row(house)).activity_before is Activity.MOWING
    written = await house.pool.fetch("SELECT observed_at FROM written ORDER BY observed_at")
    assert [row["observed_at"] - NINE for row in written] == [0 * SECOND, 30 * SECOND, 45 * SECOND]


async def test_an_older_report_never_overwrites(house: SchedulerHouse) -> None:
    newest = state(10, Activity.DOCKED)
    assert await save(house, newest, state(10, Activity.MOWING), state(5, Activity.MOWING)) == [True, False, False]
    found = await row(house)
    assert (found.activity, found.busy_at) == (Activity.DOCKED, None)


async def test_what_it_was_busy_with_stays_known_when_it_is_home(house: SchedulerHouse) -> None:
    job = Job(id="j", command_id="c")
    await save(
        house,
        state(0, Activity.MOWING, job, progress_percent=50.0),
        state(1, Activity.MOWING, job),
        state(60, Activity.RETURNING, job, progress_percent=99.0),
        state(90, Activity.DOCKED),
    )
    found = await row(house)
    assert (found.busy_at, found.busy_command_id) == (NINE + 60 * SECOND, "c")
    assert (found.job_id, found.job_command_id, found.job_resumable) == (None, None, False)
    assert (found.activity_before, found.progress_percent) == (Activity.RETURNING, 99.0)


async def test_a_position_that_is_not_reported_is_not_forgotten(house: SchedulerHouse) -> None:
    await save(house, state(0, Activity.MOWING, position=Position(latitude=1.0, longitude=2.0)))
    await save(house, state(1, Activity.DOCKED))
    found = await row(house)
    assert (found.latitude, found.longitude) == (1.0, 2.0)


async def test_backfill_is_not_the_present(house: SchedulerHouse) -> None:
    await house.report(Activity.MOWING, NINE, backfill=True)
    await house.create()
    await house.tick_at(NINE)
    assert (await row(house)).observed_at is None
    assert (await house.run()).outcome == "started"


@pytest.mark.parametrize("complete", [True, False])
async def test_only_a_complete_map_takes_an_area_away(house: SchedulerHouse, complete: bool) -> None:  # noqa: FBT001  # both
    await save_maps(house, mapped(0, "a", "b", latitude=52.0), mapped(1, "b", complete=complete))
    found = await row(house)
    assert (found.area_ids, found.origin_latitude) == (("b",) if complete else ("a", "b"), 52.0)
    await save_maps(house, mapped(0.5, "z"))
    assert (await row(house)).area_ids == found.area_ids


async def test_the_newest_availability_counts(house: SchedulerHouse) -> None:
    async with house.pool.acquire() as connection:
        for seconds, available in ((5, False), (1, True)):
            await mower_rows.save_availability(
                connection,
                MowerAvailability(
                    mower_id=MOWER, account_id="home", available=available, changed_at=NINE + seconds * SECOND
                ),
            )
    assert (await row(house)).available is False


async def test_a_decision_reads_the_newest_report_itself(house: SchedulerHouse) -> None:
    # Nothing listens while the report comes.
    await house.service.stop()
    await house.report(Activity.MOWING, NINE)
    assert (await row(house)).observed_at is None
    house.service = house.make_service()
    await house.service.open()
    await house.create()
    await house.tick_at(NINE)
    run = await house.run()
    assert (run.outcome, run.reason) == ("skipped_mower_busy", "mower_busy")


async def test_a_mower_that_is_removed_is_forgotten(house: SchedulerHouse) -> None:
    await save(house, state(0, Activity.DOCKED))
    envelope = wrap(
        MowerChanged(mower_id=MOWER, removed=True),
        id=new_id(),
        type=subjects.MOWER_CHANGED,
        occurred_at=NINE,
        account_id="home",
        subject_id=MOWER,
    )
    await house.bus.publish(subjects.MOWER_CHANGED, envelope)

    async def look() -> bool:
        return (await row(house)).observed_at is None

    await eventually(look)
