"""States travel from the bus into PostgreSQL, each once, and can be asked for."""

import asyncio
from datetime import timedelta

import pytest

from edge_gateway.contracts import routes
from edge_gateway.contracts.device import Nothing
from edge_gateway.contracts.errors import InvalidError, NotFoundError
from edge_gateway.contracts.mower import Activity, MowerState, Position
from edge_gateway.contracts.telemetry import HistoryRequest, LatestStatesRequest
from edge_gateway.telemetry.settings import TelemetrySettings
from tests.eventually import eventually
from tests.service.telemetry.conftest import BEGIN, Garden, state


def _question(**changes: object) -> HistoryRequest:
    fields: dict[str, object] = {
        "on_behalf_of": "user:owner",
        "account_id": "home",
        "mower_id": "m1",
        "since": BEGIN,
        "until": BEGIN + timedelta(hours=1),
        **changes,
    }
    return HistoryRequest(**fields)  # type: ignore[arg-type]  # fields by name


async def _latest(garden: Garden) -> dict[str, MowerState]:
    reply = await garden.bus.request(routes.STATES_LATEST, LatestStatesRequest(account_id="home"))
    return {each.mower_id: each for each in reply.items}


async def _until_latest(garden: Garden, expected: MowerState) -> None:
    async def arrived() -> bool:
        return (await _latest(garden)).get(expected.mower_id) == expected

    await eventually(arrived)


async def test_every_position_of_a_busy_mower_is_stored_once(garden: Garden) -> None:
    states = [state(second) for second in range(100)]

    await garden.publish(*states, *states[90:])
    await _until_latest(garden, states[-1])

    positions = await garden.bus.request(routes.POSITIONS_LIST, _question())
    assert [row.observed_at for row in positions.items] == [each.observed_at for each in states]
    assert [row.latitude for row in positions.items] == [each.position.latitude for each in states if each.position]


async def test_history_holds_what_changed_and_no_more(garden: Garden) -> None:
    docked = state(30, activity=Activity.DOCKED, charging=True)

    await garden.publish(state(0), state(10), state(20, battery_percent=79), docked)
    await _until_latest(garden, docked)

    history = await garden.bus.request(routes.HISTORY_LIST, _question())
    assert [(row.observed_at, row.activity, row.battery_percent) for row in history.items] == [
        (BEGIN, Activity.MOWING, 80),
        (BEGIN + timedelta(seconds=20), Activity.MOWING, 79),
        (BEGIN + timedelta(seconds=30), Activity.DOCKED, 80),
    ]


async def test_pages_follow_each_other_without_gap_or_overlap(garden: Garden) -> None:
    states = [state(second) for second in range(25)]
    await garden.publish(*states)
    await _until_latest(garden, states[-1])

    found = []
    after = None
    while True:
        page = await garden.bus.request(routes.POSITIONS_LIST, _question(limit=10, after=after))
        found += [row.observed_at for row in page.items]
        after = page.next
        if after is None:
            break

    assert found == [each.observed_at for each in states]


async def test_a_late_state_is_stored_and_leaves_the_latest(garden: Garden) -> None:
    await garden.publish(state(60))
    await _until_latest(garden, state(60))

    await garden.publish(state(30, battery_percent=90, backfill=True), state(61))
    await _until_latest(garden, state(61))

    assert [row["battery_percent"] for row in await garden.log()] == [90, 80, 80]


async def test_a_poisoned_state_is_dropped_and_its_neighbours_are_stored(garden: Garden) -> None:
    nowhere = Position(latitude=400, longitude=0)
    # A NUL cannot be stored as text: PostgreSQL itself refuses this one.
    refused = state(2, area_id="a\x00b")
    without_zone = state(2, observed_at=(BEGIN + timedelta(seconds=2)).replace(tzinfo=None))

    await garden.publish(state(0), state(1, position=nowhere), refused, without_zone)
    await garden.publish(state(3, account_id="elsewhere"), state(4))
    await _until_latest(garden, state(4))

    assert [row["observed_at"] for row in await garden.log()] == [BEGIN, BEGIN + timedelta(seconds=4)]


async def test_a_mower_that_the_fleet_learns_of_later_loses_nothing(garden: Garden) -> None:
    newcomer = [state(second, mower_id="m3") for second in range(5)]
    await garden.publish(*newcomer, state(5))
    await _until_latest(garden, state(5))

    garden.fleet.mower_ids.add("m3")
    await _until_latest(garden, newcomer[-1])

    assert [row["observed_at"] for row in await garden.log("m3")] == [each.observed_at for each in newcomer]


async def test_each_mower_has_its_own_latest(garden: Garden) -> None:
    await garden.publish(state(0), state(1, mower_id="m2", battery_percent=None))
    await _until_latest(garden, state(0))
    await _until_latest(garden, state(1, mower_id="m2", battery_percent=None))

    assert set(await _latest(garden)) == {"m1", "m2"}


@pytest.mark.parametrize(
    ("changes", "field"),
    [({"limit": 0}, "limit"), ({"limit": 5001}, "limit"), ({"until": BEGIN}, "until")],
)
async def test_a_wrong_question_names_its_field(garden: Garden, changes: dict[str, object], field: str) -> None:
    with pytest.raises(InvalidError) as caught:
        await garden.bus.request(routes.HISTORY_LIST, _question(**changes))

    assert caught.value.field == field


async def test_a_mower_that_is_not_seen_has_no_history(garden: Garden) -> None:
    with pytest.raises(NotFoundError):
        await garden.bus.request(routes.POSITIONS_LIST, _question(mower_id="m9"))


async def test_health_tells_whether_the_database_answers(garden: Garden) -> None:
    healthy = await garden.bus.request(routes.health_route("telemetry"), Nothing())
    garden.pool.terminate()
    ill = await garden.bus.request(routes.health_route("telemetry"), Nothing())

    assert healthy.ready
    assert not ill.ready
    assert ill.detail is not None


async def test_states_wait_while_another_copy_holds_the_lease(garden: Garden) -> None:
    await garden.service.stop()
    other = await garden.bus.acquire_lease("telemetry-partition-0", holder="instance-2")
    assert other is not None
    await garden.publish(state(0))
    garden.service = type(garden.service)(
        bus=garden.bus,
        pool=garden.pool,
        clock=garden.service._clock,  # noqa: SLF001  # the same parts once more
        settings=TelemetrySettings(ingest_batch_wait_seconds=0.01),
        instance_id="instance-1",
    )
    await garden.service.start()
    await asyncio.sleep(0.2)
    waiting = await garden.log()

    await other.release()
    await _until_latest(garden, state(0))
    await garden.service.stop()

    assert waiting == []
