"""What a mower reports besides the first things, and how seldom the restless of it is written."""

from typing import Any

import pytest
from homeassistant.core import HomeAssistant

from custom_components.mowdeck.device_tracker import Tracker
from custom_components.mowdeck.hub import MowDeckConfigEntry
from custom_components.mowdeck.mower_sensors import Signal
from tests.emulators.gateway import documents
from tests.emulators.gateway.documents import Json
from tests.emulators.gateway.gateway import EmulatedGateway
from tests.home_assistant.waiting import state_of, until, until_state

pytestmark = pytest.mark.usefixtures("loaded")

CAUSE = "sensor.front_lawn_problem_s_cause"


async def test_progress_and_area(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    assert state_of(hass, "sensor.front_lawn_progress") == "unknown"
    await gateway.put_mower(progress_percent=33.9, area_id="front")
    await until_state(hass, "sensor.front_lawn_progress", "33")
    assert state_of(hass, "sensor.front_lawn_area") == "Front"
    await gateway.put_mower(area_id="of an older map")
    await until_state(hass, "sensor.front_lawn_area", "unknown")


@pytest.mark.parametrize(
    ("changes", "cause"),
    [
        ({}, "none"),
        ({"problem": {"code": "stuck", "vendor_code": "1005"}}, "stuck"),
        ({"problem": {"code": "vendor_77", "vendor_code": "77"}}, "other"),
        ({"observed_at": None}, "unknown"),
    ],
)
async def test_the_cause_of_a_problem(hass: HomeAssistant, gateway: EmulatedGateway, changes: Json, cause: str) -> None:
    await gateway.put_mower(**changes, battery_percent=1)
    await until_state(hass, "sensor.front_lawn_battery", "1")
    assert state_of(hass, CAUSE) == cause


async def report(hass: HomeAssistant, gateway: EmulatedGateway, entry: MowDeckConfigEntry, **changes: Any) -> None:  # noqa: ANN401  # JSON
    """Have the mower report, and wait until it is heard."""
    await gateway.put_mower(**changes)
    wanted = gateway.mowers[documents.MOWER_ID]["battery_percent"]
    view = entry.runtime_data.mowers.views
    await until(hass, lambda: view[documents.MOWER_ID].battery_percent == wanted)


async def test_a_signal_is_written_when_it_moved_or_after_long(
    hass: HomeAssistant, gateway: EmulatedGateway, loaded: MowDeckConfigEntry
) -> None:
    now = 0.0
    signal = Signal(loaded.runtime_data, documents.MOWER_ID, lambda: now)
    signal.hass = hass

    async def heard(dbm: int | None, battery: int, *, connected: bool = True) -> int | None:
        link = {"kind": "cloud", "connected": connected, "signal_dbm": dbm, "heard_at": None}
        await report(hass, gateway, loaded, links=[link], battery_percent=battery)
        signal._shown()  # noqa: SLF001  # as a listener does
        return signal.native_value

    assert await heard(-60, 1) == -60
    assert await heard(-63, 2) == -60
    assert await heard(-65, 3) == -65
    now = 301.0
    assert await heard(-64, 4) == -64
    assert await heard(-64, 5, connected=False) is None


async def test_a_position_is_written_when_it_moved_and_not_too_soon(
    hass: HomeAssistant, gateway: EmulatedGateway, loaded: MowDeckConfigEntry
) -> None:
    now = 0.0
    tracker = Tracker(loaded.runtime_data, documents.MOWER_ID, lambda: now)

    async def seen(latitude: float | None, battery: int) -> float | None:
        place = None
        if latitude is not None:
            place = {"latitude": latitude, "longitude": 4.9, "observed_at": "2026-05-01T07:00:00Z"}
        await report(hass, gateway, loaded, position=place, battery_percent=battery)
        tracker._shown()  # noqa: SLF001  # as a listener does
        return tracker.latitude

    assert await seen(52.0, 1) == 52.0
    assert await seen(52.001, 2) == 52.0
    now = 31.0
    assert await seen(52.00001, 3) == 52.0
    assert await seen(52.001, 4) == 52.001
    assert tracker.longitude == 4.9
    assert await seen(None, 5) is None
