"""The emulated mower's life: what it does by itself, and which orders it refuses."""

import pytest
from pymammotion.proto import NavReqCoverPath
from pymammotion.utility.constant import WorkMode
from pymammotion.utility.constant.device_enums import BreakPointReason

from tests.emulators.mammotion.faults import MowerFaults
from tests.emulators.mammotion.garden import Model, default_garden
from tests.emulators.mammotion.mower import ACCEPTED, REFUSED, UNKNOWN_AREA, EmulatedMower
from tests.emulators.mammotion.status import CHARGING, FULL, OFF_CHARGER

HOUR_SECONDS = 3600.0


@pytest.fixture
def mower() -> EmulatedMower:
    """Return a full mower on its dock."""
    return EmulatedMower("Luba-VPEMU0001", garden=default_garden(), model=Model(), faults=MowerFaults())


def route(mower: EmulatedMower, *names: str) -> NavReqCoverPath:
    """Return a request for a route through some areas."""
    hashes = [area.hash for area in mower.garden.areas if area.name in names]
    return NavReqCoverPath(pver=1, zone_hashs=hashes, job_mode=4, knife_height=50, speed=0.5, channel_width=30)


def start(mower: EmulatedMower) -> None:
    """Start it on the front lawn."""
    result, path_hash = mower.plan_route(route(mower, "Front lawn"))
    assert result == ACCEPTED
    assert path_hash
    assert mower.start() == ACCEPTED


def live_until(mower: EmulatedMower, mode: WorkMode) -> None:
    """Let it live until it reports a mode, a day at most."""
    for _ in range(int(24 * HOUR_SECONDS / 10)):
        if mower.status.mode == mode:
            return
        mower.live(10)
    pytest.fail(f"never in mode {mode}, but in {mower.status.mode}")


def test_it_mows_goes_home_and_charges(mower: EmulatedMower) -> None:
    start(mower)
    assert mower.status.mode == WorkMode.MODE_WORKING
    mower.live(30)
    assert mower.status.charge_state == OFF_CHARGER
    assert mower.status.zone_hash == mower.garden.areas[0].hash
    live_until(mower, WorkMode.MODE_RETURNING)
    assert mower.job is None
    live_until(mower, WorkMode.MODE_READY)
    assert mower.status.charge_state == CHARGING
    mower.live(HOUR_SECONDS)
    assert mower.status.charge_state == FULL


def test_with_an_empty_battery_it_charges_and_goes_on(mower: EmulatedMower) -> None:
    start(mower)
    mower.live(60)
    mower.status.battery_percent = 20.1
    live_until(mower, WorkMode.MODE_CHARGING_PAUSE)
    assert mower.status.breakpoint_reason == BreakPointReason.LOW_BATTERY
    mowed = mower.status.mow_percent
    live_until(mower, WorkMode.MODE_WORKING)
    assert mower.status.battery_percent >= 79
    assert mower.status.mow_percent == mowed


def test_going_home_twice_calls_it_back(mower: EmulatedMower) -> None:
    start(mower)
    mower.live(60)
    assert mower.return_to_dock() == ACCEPTED
    assert mower.status.mode == WorkMode.MODE_RETURNING
    assert mower.return_to_dock() == ACCEPTED
    assert mower.status.mode == WorkMode.MODE_PAUSE


def test_a_job_with_a_breakpoint_goes_on_when_another_is_started(mower: EmulatedMower) -> None:
    start(mower)
    mower.live(60)
    old = mower.job
    mower.pause()
    mower.status.mode = WorkMode.MODE_READY
    assert mower.plan_route(route(mower, "Back lawn"))[0] == ACCEPTED
    assert mower.start() == ACCEPTED
    assert mower.job is old


def test_what_it_refuses(mower: EmulatedMower) -> None:
    assert [mower.start(), mower.pause(), mower.resume(), mower.return_to_dock(), mower.cancel_return()] == [
        REFUSED
    ] * 5
    assert mower.plan_route(NavReqCoverPath(zone_hashs=[1])) == (UNKNOWN_AREA, 0)
    start(mower)
    assert mower.cancel() == REFUSED
    assert mower.plan_route(route(mower, "Back lawn")) == (REFUSED, 0)


def test_an_unknown_state_is_not_put(mower: EmulatedMower) -> None:
    with pytest.raises(ValueError, match="no such state: colour"):
        mower.status.put({"colour": "green"})
