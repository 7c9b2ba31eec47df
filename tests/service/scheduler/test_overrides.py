"""A person's word about one mower wins, is shown with who and when, and ends by itself."""

from datetime import timedelta

import pytest

from edge_gateway.contracts import subjects
from edge_gateway.contracts.errors import ForbiddenError, InvalidError, NotFoundError
from edge_gateway.contracts.mower import Activity
from edge_gateway.contracts.principals import OWNER, Relation
from edge_gateway.contracts.schedules import RainSettings
from edge_gateway.contracts.weather import Override, RainState
from tests.service.scheduler.house import MOWER, NINE, SchedulerHouse
from tests.service.scheduler.sky import Sky

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)


@pytest.fixture
def sky(house: SchedulerHouse) -> Sky:
    return Sky(house)


async def test_a_held_mower_is_started_by_no_plan(house: SchedulerHouse, sky: Sky) -> None:
    until = NINE + 2 * HOUR
    words = await sky.hold(until)
    assert words.mower_hold == Override(until=until, set_by=OWNER, set_at=NINE - HOUR)
    await house.create()
    await house.tick_at(NINE)
    run = await house.run()
    assert (run.outcome, run.reason, run.final) == ("skipped_manual", "held_by_user", True)
    assert run.numbers["mower_hold"]["set_by"] == OWNER
    assert house.fleet.asked == []


async def test_a_hold_ends_at_its_moment(house: SchedulerHouse, sky: Sky) -> None:
    await sky.hold(NINE)
    await house.create()
    await house.tick_at(NINE)
    assert (await house.run()).outcome == "started"


async def test_a_hold_is_taken_back(house: SchedulerHouse, sky: Sky) -> None:
    await sky.hold(NINE + HOUR)
    assert (await sky.hold(None)).mower_hold is None
    await house.create()
    await house.tick_at(NINE)
    assert (await house.run()).outcome == "started"


async def test_a_person_can_run_a_held_mower_now(house: SchedulerHouse, sky: Sky) -> None:
    await sky.hold(NINE + HOUR)
    schedule = await house.create()
    [run] = (await house.run_now(schedule.id)).runs
    assert run.outcome == "started"


async def test_mow_anyway_wins_over_the_rain_and_the_record_says_so(house: SchedulerHouse, sky: Sky) -> None:
    await house.restart(static_weather="rain")
    await sky.override_rain(NINE + HOUR)
    await house.create()
    await house.tick_at(NINE)
    run = await house.run()
    assert (run.outcome, run.numbers["rain_reason"], run.numbers["wet"]) == ("started", "rain_expected", True)
    assert run.numbers["rain_override"]["set_by"] == OWNER


async def test_mow_anyway_needs_no_forecast(house: SchedulerHouse, sky: Sky) -> None:
    await house.restart(static_weather="unknown")
    await sky.override_rain(NINE + HOUR)
    await house.create(rain=RainSettings(run_when_unknown=False))
    await house.tick_at(NINE)
    assert (await house.run()).outcome == "started"


async def test_a_hold_wins_over_mow_anyway(house: SchedulerHouse, sky: Sky) -> None:
    await sky.override_rain(NINE + HOUR)
    words = await sky.hold(NINE + HOUR)
    assert words.rain_override is not None
    await house.create()
    await house.tick_at(NINE)
    assert (await house.run()).reason == "held_by_user"


async def test_words_survive_a_restart_and_are_shown(house: SchedulerHouse, sky: Sky) -> None:
    await sky.hold(NINE + HOUR)
    await sky.override_rain(NINE + 2 * HOUR)
    await house.restart(static_weather="rain")
    shown = await sky.weather()
    assert (shown.hold, shown.reason, shown.wet) == (True, "held_by_user", True)
    assert shown.mower_hold is not None
    assert shown.rain_override is not None
    house.clock.moment = NINE + HOUR
    later = await sky.weather()
    assert (later.hold, later.reason, later.mower_hold) == (False, "rain_override", None)
    house.clock.moment = NINE + 2 * HOUR
    assert (await sky.weather()).reason == "rain_expected"


@pytest.mark.parametrize("until", [NINE - HOUR, NINE - 2 * HOUR, NINE + 400 * DAY])
async def test_a_word_is_for_the_time_to_come(sky: Sky, until: object) -> None:
    for say in (sky.hold, sky.override_rain):
        with pytest.raises(InvalidError) as raised:
            await say(until)  # type: ignore[arg-type]  # the table's column
        assert raised.value.field == "until"


async def test_who_may_not_control_says_nothing(house: SchedulerHouse, sky: Sky) -> None:
    house.fleet.denied.add((OWNER, Relation.CAN_CONTROL))
    with pytest.raises(ForbiddenError):
        await sky.hold(NINE + HOUR)
    with pytest.raises(ForbiddenError) as raised:
        await sky.hold(NINE + HOUR, principal="service:cleaner")
    assert raised.value.code == "service_principal"
    house.fleet.denied.add((OWNER, Relation.CAN_VIEW))
    with pytest.raises(NotFoundError):
        await sky.weather()


async def test_a_mower_that_is_not_there(sky: Sky) -> None:
    for ask in (sky.hold(NINE, mower_id="mower-9"), sky.weather(mower_id="mower-9")):
        with pytest.raises(NotFoundError):
            await ask


async def test_each_change_of_a_verdict_is_told_once(house: SchedulerHouse, sky: Sky) -> None:
    await house.report(Activity.DOCKED, NINE - HOUR)
    await house.create()
    await house.tick_at(NINE - HOUR)
    await house.run_now((await house.create(name="Makes the row")).id)
    await sky.look_at(NINE)
    await sky.look_at(NINE + MINUTE)
    await sky.hold(NINE + HOUR)
    await sky.look_at(NINE + MINUTE)
    other = house.make_service()
    await other.open()
    await other.look_at_weather()
    await sky.look_at(NINE + HOUR)
    told = [envelope.decode(RainState) for envelope in await house.until_told(subjects.WEATHER_CHANGED, 3)]
    assert [(state.mower_id, state.hold, state.reason) for state in told] == [
        (MOWER, False, "dry"),
        (MOWER, True, "held_by_user"),
        (MOWER, False, "dry"),
    ]
    assert told[1].mower_hold == Override(until=NINE + HOUR, set_by=OWNER, set_at=NINE + MINUTE)
    await other.stop()
