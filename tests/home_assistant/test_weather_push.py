"""The gateway is told the weather of the chosen entity: at the start, on change, when it is back, and regularly."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from homeassistant.core import HomeAssistant

from custom_components.mowdeck import weather_push
from custom_components.mowdeck.hub import MowDeckConfigEntry
from tests.emulators.gateway import documents
from tests.emulators.gateway.gateway import EmulatedGateway
from tests.eventually import eventually
from tests.home_assistant.sky import SKY, Sky, rise

PATH = "weather/sources/home"
SENSOR = "binary_sensor.rain"


@pytest.fixture(autouse=True)
def _settled_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weather_push, "SETTLE_SECONDS", 0.01)


@pytest.fixture
async def sky(hass: HomeAssistant, entry: MowDeckConfigEntry) -> Sky:
    """Have an entity with a forecast, chosen in the entry, which is not set up yet."""
    sky = Sky()
    sky.hours = [
        {"datetime": "2026-05-01T08:00:00+00:00", "native_precipitation": 0.4, "precipitation_probability": 70}
    ]
    await rise(hass, sky)
    choose(hass, entry)
    return sky


def choose(hass: HomeAssistant, entry: MowDeckConfigEntry, *, weather: str = SKY, sensor: str | None = SENSOR) -> None:
    chosen = {"weather_entity": weather} | ({} if sensor is None else {"rain_sensor": sensor})
    hass.config_entries.async_update_entry(entry, options={"weather": {"home": chosen}})


async def set_up(hass: HomeAssistant, entry: MowDeckConfigEntry) -> None:
    assert await hass.config_entries.async_setup(entry.entry_id)


async def told(gateway: EmulatedGateway, number: int = 1) -> Any:  # noqa: ANN401  # JSON
    """Wait until the weather was told so often; the last of it."""

    async def often_enough() -> bool:
        return len([each for each in gateway.requests if each.path == PATH]) >= number

    await eventually(often_enough, seconds=20)
    return (await gateway.wait_for_request("PUT", PATH)).body


async def test_the_forecast_and_the_sensor_are_told_at_the_start(
    hass: HomeAssistant, gateway: EmulatedGateway, entry: MowDeckConfigEntry, sky: Sky
) -> None:
    assert sky.hours
    hass.states.async_set(SENSOR, "off")
    await set_up(hass, entry)
    body = await told(gateway)
    assert body["rain_sensor"].pop("observed_at")
    assert body == {
        "source": SKY,
        "attribution": "Weather by Somebody",
        "precipitation_unit": "mm",
        "hours": [{"starts_at": "2026-05-01T08:00:00+00:00", "precipitation": 0.4, "probability_percent": 70.0}],
        "rain_sensor": {"raining": False},
    }


async def test_changes_are_told(
    hass: HomeAssistant, gateway: EmulatedGateway, entry: MowDeckConfigEntry, sky: Sky
) -> None:
    hass.states.async_set(SENSOR, "off")
    await set_up(hass, entry)
    await told(gateway)
    hass.states.async_set(SENSOR, "on")
    assert (await told(gateway, 2))["rain_sensor"]["raining"] is True
    sky.hours = []
    sky.becomes(condition="sunny")
    assert (await told(gateway, 3))["hours"] == []


async def test_a_change_is_told_though_the_gateway_is_slow_to_take_what_was_before(
    hass: HomeAssistant, gateway: EmulatedGateway, entry: MowDeckConfigEntry, sky: Sky
) -> None:
    assert sky.hours
    hass.states.async_set(SENSOR, "off")
    gateway.takes_weather.clear()
    await set_up(hass, entry)
    await told(gateway)
    hass.states.async_set(SENSOR, "on")
    # It is settled, and the gateway has not answered yet.
    await asyncio.sleep(10 * weather_push.SETTLE_SECONDS)
    gateway.takes_weather.set()
    assert (await told(gateway, 2))["rain_sensor"]["raining"] is True


async def test_it_is_told_again_without_any_change(
    hass: HomeAssistant,
    gateway: EmulatedGateway,
    entry: MowDeckConfigEntry,
    sky: Sky,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert sky.hours
    monkeypatch.setattr(weather_push, "INTERVAL", timedelta(milliseconds=100))
    await set_up(hass, entry)
    await told(gateway, 3)


async def test_a_gateway_that_is_back_hears_it_at_once(
    hass: HomeAssistant, gateway: EmulatedGateway, entry: MowDeckConfigEntry, sky: Sky
) -> None:
    assert sky.hours
    choose(hass, entry, sensor=None)
    await set_up(hass, entry)
    assert "rain_sensor" not in await told(gateway)
    await gateway.restart()
    await told(gateway, 2)


async def test_an_entity_that_is_away_says_nothing_and_its_sensor_goes_on(
    hass: HomeAssistant, gateway: EmulatedGateway, entry: MowDeckConfigEntry, sky: Sky
) -> None:
    hass.states.async_set(SENSOR, "off")
    await set_up(hass, entry)
    first = await told(gateway)
    sky.becomes(available=False)
    body = await told(gateway, 2)
    assert body["hours"] == first["hours"]
    sky.fails = True
    sky.becomes(condition="rainy")
    assert (await told(gateway, 3))["hours"] == []


async def test_without_an_entity_and_a_sensor_nothing_is_told(
    hass: HomeAssistant, gateway: EmulatedGateway, entry: MowDeckConfigEntry, sky: Sky
) -> None:
    assert sky.hours
    choose(hass, entry, weather="weather.gone", sensor=None)
    await set_up(hass, entry)
    await hass.async_block_till_done(wait_background_tasks=False)
    choose(hass, entry, weather="weather.gone")
    assert await hass.config_entries.async_reload(entry.entry_id)
    body = await told(gateway)
    assert (body["hours"], body["precipitation_unit"], body["rain_sensor"]["raining"]) == ([], None, None)
    assert len([each for each in gateway.requests if each.path == PATH]) == 1


async def test_an_entity_without_hours_is_unknown(
    hass: HomeAssistant, gateway: EmulatedGateway, entry: MowDeckConfigEntry
) -> None:
    await rise(hass, Sky(hourly=False))
    choose(hass, entry, sensor=None)
    await set_up(hass, entry)
    assert (await told(gateway))["hours"] == []


async def test_a_refusal_is_logged_once_and_a_lost_gateway_not_at_all(
    hass: HomeAssistant,
    gateway: EmulatedGateway,
    entry: MowDeckConfigEntry,
    sky: Sky,
    caplog: pytest.LogCaptureFixture,
) -> None:
    gateway.refuse(422, documents.error("invalid", "There is no such site."))
    hass.states.async_set(SENSOR, "off")
    await set_up(hass, entry)
    await told(gateway)
    for number, condition in enumerate(("sunny", "rainy"), start=2):
        sky.becomes(condition=condition)
        await told(gateway, number)

    async def is_logged() -> bool:
        return "There is no such site." in caplog.text

    await eventually(is_logged)
    assert caplog.text.count("did not take the weather") == 1
    gateway.fault = None
    entry.runtime_data.connected = False
    before = len(gateway.requests)
    sky.becomes(condition="sunny")
    await hass.async_block_till_done(wait_background_tasks=False)
    assert len(gateway.requests) == before
