"""A mower outside its geofence was stolen, unless it drove there by itself."""

import pytest

from edge_gateway.contracts.mower import Activity
from edge_gateway.contracts.notifications import NotificationCode
from tests.unit.notifications.reports import (
    HOME,
    JOB,
    STREET,
    Judge,
    at,
    short,
    state,
)


def test_a_mower_that_stands_in_the_street_was_stolen() -> None:
    judge = Judge()
    judge.take(state(0, Activity.DOCKED), state(10, Activity.IDLE, position=STREET))
    assert judge.told == []

    judge.take(state(20, Activity.IDLE, position=STREET))
    assert short(judge.told) == [("left_geofence", "began", 10)]
    assert judge.told[0].severity == "alarm"
    assert judge.told[0].values["metres_outside"] > 1000


def test_the_theft_alarm_needs_no_second_report() -> None:
    judge = Judge()
    judge.take(state(0, Activity.DOCKED), state(10, Activity.IDLE, position=STREET))
    assert short(judge.wait(at(20))) == [("left_geofence", "began", 10)]


def test_one_wild_position_is_no_theft() -> None:
    judge = Judge()
    judge.take(state(0, Activity.DOCKED), state(10, Activity.DOCKED, position=STREET), state(15, Activity.DOCKED))
    judge.wait(at(100))
    assert judge.told == []


@pytest.mark.parametrize("activity", [Activity.MOWING, Activity.RETURNING])
def test_a_mower_on_its_job_may_be_outside(activity: Activity) -> None:
    judge = Judge()
    judge.take(*(state(second, activity, position=STREET, job=JOB) for second in range(0, 100, 5)))
    assert judge.told == []


def test_a_mower_that_stops_where_it_drove_was_not_carried() -> None:
    judge = Judge()
    judge.take(state(0, position=STREET, job=JOB))
    judge.take(*(state(second, Activity.PAUSED, position=STREET, job=JOB) for second in range(5, 100, 5)))
    assert judge.told == []


def test_a_mower_carried_off_in_the_middle_of_a_job_was_stolen() -> None:
    judge = Judge()
    judge.take(state(0, job=JOB), state(5, Activity.PAUSED, job=JOB))
    judge.take(*(state(second, Activity.PAUSED, position=STREET, job=JOB) for second in range(10, 50, 5)))
    assert short(judge.told) == [("left_geofence", "began", 10)]


@pytest.mark.parametrize("activity", [Activity.UNKNOWN, Activity.IDLE])
def test_a_position_that_is_not_known_does_not_bring_it_back(activity: Activity) -> None:
    judge = Judge()
    judge.take(*(state(second, Activity.IDLE, position=STREET) for second in range(0, 20, 5)))
    judge.take(*(state(second, activity, position=None) for second in range(20, 200, 5)))
    assert judge.wrong == [NotificationCode.LEFT_GEOFENCE]

    judge.take(state(300, Activity.IDLE, position=HOME), state(330, Activity.IDLE, position=HOME))
    assert judge.wrong == []


def test_without_a_geofence_nothing_is_outside() -> None:
    judge = Judge(geofence=None)
    judge.take(*(state(second, Activity.IDLE, position=STREET) for second in range(0, 100, 5)))
    assert judge.told == []
