"""Weather, holds and previews through the API, with the whole program behind it and a weather service on loopback."""

from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from edge_gateway.contracts.clock import SystemClock
from tests.emulators.weather.open_meteo import FakeOpenMeteo
from tests.eventually import eventually
from tests.service.api.whole_house import WholeHouse, open_whole_house

pytestmark = pytest.mark.timeout(120)

HOUR = timedelta(hours=1)
PLACE = {"latitude": 52.5212, "longitude": 13.4101}


@pytest.fixture
async def server() -> AsyncIterator[FakeOpenMeteo]:
    server = FakeOpenMeteo(SystemClock())
    await server.start()
    yield server
    await server.stop()


@pytest.fixture
async def whole(
    postgres_url: str, nats_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: FakeOpenMeteo
) -> AsyncIterator[WholeHouse]:
    """Return the API of a whole program with one simulated mower."""
    for name, value in {
        "DATABASE_URL": postgres_url,
        "NATS_URL": nats_url,
        "API_PORT": "0",
        "SIM_MOWERS": "1",
        "SCHEDULER_OPEN_METEO_URL": server.url,
        "SCHEDULER_TICK_SECONDS": "1",
    }.items():
        monkeypatch.setenv(f"MOWDECK_{name}", value)
    async with open_whole_house(tmp_path / "data") as house:
        yield house


def now() -> datetime:
    return SystemClock().now()


def this_hour() -> datetime:
    return now().replace(minute=0, second=0, microsecond=0)


async def test_the_weather_of_a_mower_and_settings_that_are_tried(whole: WholeHouse, server: FakeOpenMeteo) -> None:
    server.values = {this_hour() + number * HOUR: (0.3, 70.0) for number in range(2)}
    await whole.ask("PATCH", "/sites/home", PLACE | {"rain": {"probability_percent": 65}})
    [mower] = await whole.mowers(1)
    path = f"/weather/{mower['id']}"
    status, shown = await whole.ask("GET", path)
    assert (status, shown["hold"], shown["reason"], shown["wet"]) == (200, True, "rain_expected", True)
    assert (shown["provider"], shown["settings"]["probability_percent"]) == ("open_meteo", 65.0)
    assert "CC BY 4.0" in shown["attribution"]
    assert (len(shown["hours"]), shown["age_seconds"] < 60) == (72, True)
    _, tried = await whole.ask("GET", f"{path}?probability_percent=80&enabled=true&cooldown_hours=0")
    assert (tried["hold"], tried["settings"]["probability_percent"]) == (False, 80.0)
    assert len(server.requests) == 1
    for query, field in (
        ("probability_percent=0", "probability_percent"),
        ("precipitation_mm=nan", "precipitation_mm"),
        ("lookahead_hours=49", "lookahead_hours"),
        ("cooldown=1", "cooldown"),
    ):
        status, answer = await whole.ask("GET", f"{path}?{query}")
        assert (status, answer["error"]["field"]) == (422, field)
    assert (await whole.ask("GET", "/weather/nobody"))[0] == 404


async def test_a_person_s_word_is_kept_and_readers_are_told(whole: WholeHouse) -> None:
    [mower] = await whole.mowers(1)
    until = (now() + HOUR).isoformat()
    headers = {"Authorization": f"Bearer {whole.token}", "X-MowDeck-Principal": "user:owner"}
    told: list[dict[str, Any]] = []
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(f"{whole.url}/api/v1/events", headers=headers) as socket,
    ):
        held, _ = await whole.ask("PUT", f"/mowers/{mower['id']}/hold", {"until": until})
        overridden, words = await whole.ask("PUT", f"/mowers/{mower['id']}/rain-override", {"until": until})
        assert (held, overridden) == (200, 200)
        assert words["mower_hold"]["set_by"] == words["rain_override"]["set_by"] == "user:owner"
        while not told or told[-1]["rain_override"] is None:
            message = await socket.receive_json(timeout=10)
            if (event := message.get("event")) and event["type"] == "scheduler.weather.changed":
                told.append(event["payload"])
    assert (told[-1]["mower_id"], told[-1]["hold"], told[-1]["reason"]) == (mower["id"], True, "held_by_user")
    await whole.ask("DELETE", f"/mowers/{mower['id']}/hold")
    status, words = await whole.ask("DELETE", f"/mowers/{mower['id']}/rain-override")
    assert (status, words["mower_hold"], words["rain_override"]) == (200, None, None)
    for body, field in (({"until": "2020-01-01T00:00:00Z"}, "until"), ({"until": None}, "until"), ({}, "until")):
        status, answer = await whole.ask("PUT", f"/mowers/{mower['id']}/hold", body)
        assert (status, answer["error"]["field"]) == (422, field)


async def test_home_assistant_tells_the_weather_of_a_site(whole: WholeHouse) -> None:
    await whole.ask("PATCH", "/sites/home", {"weather_source": "home_assistant"})
    [mower] = await whole.mowers(1)
    hours = [
        {
            "starts_at": (this_hour() + number * HOUR).isoformat(),
            "precipitation": 0.1,
            "probability_percent": 10.0,
        }
        for number in range(12)
    ]
    body = {"source": "weather.home", "precipitation_unit": "in", "hours": hours}
    status, reply = await whole.ask("PUT", "/weather/sources/home", body)
    assert (status, reply["hours"]) == (200, 12)

    async def arrived() -> dict[str, Any] | None:
        _, shown = await whole.ask("GET", f"/weather/{mower['id']}")
        return shown if shown["provider"] == "home_assistant" else None

    shown = await eventually(arrived)
    assert (shown["hold"], shown["numbers"]["precipitation_mm"]) == (True, pytest.approx(2.54))
    for wrong, field in (
        ({"precipitation_unit": "pint"}, "precipitation_unit"),
        ({"hours": [{"starts_at": "yesterday"}]}, "hours[0].starts_at"),
        ({"hours": [{"starts_at": "2020-01-01T00:00:00Z"}]}, "hours[0].starts_at"),
        ({"rain_sensor": {"raining": "yes", "observed_at": hours[0]["starts_at"]}}, "rain_sensor.raining"),
    ):
        status, answer = await whole.ask("PUT", "/weather/sources/home", wrong)
        assert (status, answer["error"]["field"]) == (422, field)
    assert (await whole.ask("PUT", "/weather/sources/elsewhere", body))[0] == 404


async def test_plans_are_previewed(whole: WholeHouse, server: FakeOpenMeteo) -> None:
    server.values = {this_hour() + number * HOUR: (2.0, 90.0) for number in range(-24, 48)}
    await whole.ask("PATCH", "/sites/home", PLACE | {"time_zone": "Asia/Kolkata"})
    [mower] = await whole.mowers(1)
    draft: dict[str, Any] = {
        "name": "Daily",
        "target": {"mower_id": mower["id"]},
        "recurrence": {"kind": "every_n_days", "interval": 1, "anchor": "2026-01-01", "at": "09:00"},
        "duration_minutes": 60,
    }
    status, preview = await whole.ask("POST", "/schedules/preview", {"draft": draft})
    assert (status, preview["time_zone"], len(preview["items"])) == (200, "Asia/Kolkata", 14)
    assert {item["local_time"][10:] for item in preview["items"]} == {"T09:00:00+05:30"}
    assert preview["items"][0]["mowers"][0]["hold"] is True
    assert preview["items"][-1]["mowers"][0]["known"] is False
    _, made = await whole.ask("POST", "/schedules", draft, key="k1")
    status, stored = await whole.ask("POST", "/schedules/preview", {"schedule_id": made["id"]})
    assert (status, stored["items"]) == (200, preview["items"])
    wrong = draft | {"recurrence": {"kind": "weekly", "days": ["mon"], "at": "25:00"}}
    status, answer = await whole.ask("POST", "/schedules/preview", {"draft": wrong})
    assert (status, answer["error"]["field"]) == (422, "draft.recurrence.at")
    assert (await whole.ask("POST", "/schedules/preview", {}))[0] == 422
