"""`/sites` and `/vendor-accounts`."""

from typing import Any

import pytest

from tests.service.api.house import ApiHouse


async def test_a_site_is_made_read_changed_and_deleted(house: ApiHouse) -> None:
    made = await house.ask("POST", "/sites", {"name": "Allotment", "time_zone": "Europe/Berlin"})
    assert (made.status, made.body["time_zone_chosen"], made.body["latitude"]) == (201, True, None)
    path = f"/sites/{made.body['id']}"
    assert (await house.ask("GET", path)).body == made.body
    changed = await house.ask("PATCH", path, {"latitude": 52.0, "longitude": 13.0})
    assert (changed.status, changed.body["latitude"], changed.body["name"]) == (200, 52.0, "Allotment")
    cleared = await house.ask("PATCH", path, {"latitude": None, "longitude": None})
    assert (cleared.body["latitude"], cleared.body["longitude"]) == (None, None)
    rain = await house.ask("PATCH", path, {"rain": {"probability_percent": 40}, "weather_source": "home_assistant"})
    assert (rain.body["rain"]["probability_percent"], rain.body["rain"]["precipitation_mm"]) == (40.0, 0.5)
    assert rain.body["weather_source"] == "home_assistant"
    names = [site["name"] for site in (await house.ask("GET", "/sites")).body["items"]]
    assert names == ["Allotment", "Home"]
    assert await house.ask("DELETE", path) == (204, None)
    assert (await house.ask("GET", path)).status == 404


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"time_zone": "Berlin"}, "time_zone"),
        ({"latitude": 52.0}, "longitude"),
        ({"latitude": 91.0, "longitude": 0.0}, "latitude"),
        ({"longitude": -181, "latitude": 0}, "longitude"),
        ({"name": ""}, "name"),
        ({"quiet": True}, "quiet"),
        ({"rain": {"probability_percent": 0}}, "rain.probability_percent"),
        ({"rain": {"cooldown_hours": 1.5}}, "rain.cooldown_hours"),
        ({"rain": {"probability": 40}}, "rain.probability"),
        ({"weather_source": "a_frog"}, "weather_source"),
    ],
)
async def test_what_is_wrong_with_a_site_is_named(house: ApiHouse, body: dict[str, Any], field: str) -> None:
    for method, path in (("POST", "/sites"), ("PATCH", "/sites/home")):
        whole = ({"name": "x", "time_zone": "UTC"} if method == "POST" else {}) | body
        answer = await house.ask(method, path, whole)
        assert (answer.status, answer.error["field"]) == (422, field)


async def test_the_default_site_stays(house: ApiHouse) -> None:
    answer = await house.ask("DELETE", "/sites/home")
    assert (answer.status, answer.error["code"]) == (409, "default_site")
    assert (await house.ask("DELETE", "/sites/nowhere")).status == 404


async def test_a_login_is_made_renewed_and_forgotten_and_its_password_never_told(house: ApiHouse) -> None:
    login = {"provider": "mammotion", "username": "anna@example.org", "password": "first-secret"}
    made = await house.ask("POST", "/vendor-accounts", login)
    assert (made.status, made.body["status"], made.body["username"]) == (201, "connected", "anna@example.org")
    path = f"/vendor-accounts/{made.body['id']}"
    renewed = await house.ask("PATCH", path, {"password": "second-secret"})
    assert renewed.status == 200
    listed = await house.ask("GET", "/vendor-accounts")
    assert [item["id"] for item in listed.body["items"]] == [made.body["id"]]
    assert "secret" not in str([made, renewed, listed])
    assert house.gateway.passwords == ["first-secret", "second-secret"]
    assert await house.ask("DELETE", path) == (204, None)
    assert (await house.ask("DELETE", path)).status == 404


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"provider": "mammotion", "username": "anna"}, "password"),
        ({"provider": "mammotion", "username": "anna", "password": ""}, "password"),
        ({"provider": "", "username": "anna", "password": "x"}, "provider"),
        ({"provider": "mammotion", "username": 1, "password": "hidden-value"}, "username"),
    ],
)
async def test_what_is_wrong_with_a_login_is_named_and_not_repeated(
    house: ApiHouse, body: dict[str, Any], field: str
) -> None:
    answer = await house.ask("POST", "/vendor-accounts", body)
    assert (answer.status, answer.error["field"]) == (422, field)
    assert "hidden-value" not in str(answer.body)
