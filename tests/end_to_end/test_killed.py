"""The gateway is killed in the middle of a planned job: after its restart nothing is lost and nothing is double."""

import time
from datetime import UTC, datetime

import pytest

from tests.end_to_end.road import Road
from tests.end_to_end.test_road import check_positions, check_schedule_entities

pytestmark = pytest.mark.timeout(300)


async def test_a_kill_in_the_middle_of_a_job_loses_and_doubles_nothing(road: Road) -> None:
    begin = datetime.now(UTC)
    await road.add_integration()
    home_assistant = road.home_assistant
    await home_assistant.wait_for_state(road.entity_id, "docked")
    schedule_id, due = await road.make_schedule()
    await road.run_with(schedule_id, "outcome", seconds=100)
    await home_assistant.wait_for_state(road.entity_id, "mowing")

    killed_at = time.time()
    await road.gateway.process.kill()
    await home_assistant.wait_for_state(road.entity_id, "unavailable", timeout_seconds=30)
    await road.gateway.start()
    await road.wait_until_heard(since=datetime.now(UTC))
    heard_again_at = time.time()
    await home_assistant.wait_for_state(road.entity_id, "mowing", timeout_seconds=60)

    run = await road.run_with(schedule_id, "ended_at", seconds=150)
    assert (run["outcome"], run["end_reason"]) == ("started", "completed")
    await home_assistant.wait_for_state(road.entity_id, "docked", timeout_seconds=60)
    assert len(await road.runs(schedule_id)) == 1
    assert len(await road.cloud.starts()) == 1
    await check_schedule_entities(road, schedule_id, due)
    # What the mower said while nobody listened is known to nobody, nor is the report that was on its way. A session's
    # first reports may come in one burst while it asks for the map, and the vendor's library tells of the last one.
    await check_positions(road, begin, away=(killed_at - 1, heard_again_at + 3))
