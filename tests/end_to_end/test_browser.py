"""A person in a browser: adds the gateway, makes a group, looks at the mower, plans in the calendar; then speaks.

The newest supported Home Assistant, the real gateway with a simulated mower, Chromium.
`MOWDECK_SCREENSHOTS=docs/images scripts/test end_to_end -- -k browser` renews the documentation's pictures.
"""

import os
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from playwright.async_api import Page, expect

from scripts.running.browser import open_page
from scripts.running.gateway import Gateway
from scripts.running.home_assistant import HomeAssistant
from scripts.set_up.environments import ENVIRONMENTS
from scripts.set_up.places import ROOT
from tests.end_to_end.road import free_port
from tests.eventually import eventually
from tests.reporting.needs import find_chromium

pytestmark = [pytest.mark.timeout(240), pytest.mark.needs_chromium]

PATIENCE_MS = 60_000


class House:
    """A gateway with a mower, and a Home Assistant that does not know of it yet."""

    def __init__(self, gateway: Gateway, home_assistant: HomeAssistant) -> None:
        """Keep both."""
        self.gateway = gateway
        self.home_assistant = home_assistant

    async def entity(self, domain: str) -> str:
        """Return the id of our first entity of a domain, once it is there."""

        async def find() -> str | None:
            async with self.home_assistant.websocket() as websocket:
                entries: list[dict[str, Any]] = await websocket.call("config/entity_registry/list")
            found = (each["entity_id"] for each in entries if each["platform"] == "mowdeck")
            return next((each for each in found if each.startswith(f"{domain}.")), None)

        return await eventually(find, seconds=30)

    async def say(self, text: str) -> str:
        """Return what the assistant answers."""
        answer = await self.home_assistant.post("/api/conversation/process", {"text": text, "language": "en"})
        speech: str = answer["response"]["speech"]["plain"]["speech"]
        return speech


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """Return a house in which nothing is set up."""
    gateway = Gateway(
        python=ENVIRONMENTS["gateway"].python,
        root=ROOT,
        data_folder=tmp_path / "gateway",
        port=free_port(),
        variables={"MOWDECK_SIM_MOWERS": "1", "MOWDECK_SCHEDULER_WEATHER_PROVIDER": "static"},
    )
    home_assistant = HomeAssistant(
        python=ENVIRONMENTS["home-assistant-2026.11"].python,
        folder=tmp_path / "home-assistant",
        integration=ROOT / "custom_components" / "mowdeck",
        port=free_port(),
    )
    async with gateway, home_assistant:
        await home_assistant.onboard(name="Owner", username="owner", password="owner-of-the-lawn")  # noqa: S106  # of this test only
        yield House(gateway, home_assistant)


async def test_a_person_sets_it_up_plans_and_asks(house: House) -> None:
    chromium = find_chromium()
    assert chromium is not None
    async with open_page(
        house.home_assistant, "/config/integrations/dashboard/add?domain=mowdeck", chromium=chromium
    ) as page:
        page.set_default_timeout(PATIENCE_MS)
        await add_the_integration(page, house)
        mower = await house.entity("lawn_mower")
        await house.home_assistant.wait_for_state(mower, "docked")
        await make_a_group(page, house)
        await see_the_tile(page, house, mower)
        await plan_in_the_calendar(page, house)
    await speak(house, mower)
    await see_the_triggers(house)


async def add_the_integration(page: Page, house: House) -> None:
    """Fill the dialog in, as the documentation says."""
    confirm = page.get_by_role("button", name="OK")
    # The fields have their names beside them, not as labels of the inputs.
    fields = page.locator("ha-form input")
    await confirm.or_(fields.first).first.wait_for()
    if await confirm.is_visible():
        await confirm.click()
    values = ("127.0.0.1", str(house.gateway.port), house.gateway.token)
    await expect(fields).to_have_count(len(values), timeout=PATIENCE_MS)
    for number, value in enumerate(values):
        await fields.nth(number).fill(value)
    await picture(page, "add-integration.png")
    await page.get_by_role("button", name="Submit").click()
    await page.get_by_text("Created configuration for").or_(page.get_by_role("button", name="Finish")).first.wait_for()


async def make_a_group(page: Page, house: House) -> None:
    """Make a group of mowers on MowDeck's page, where accounts and bridges are added too."""
    await page.goto(f"{house.home_assistant.url}/config/integrations/integration/mowdeck")
    for button in ("Add Mammotion account", "Add Bluetooth bridge", "Add group of mowers"):
        await page.get_by_role("button", name=button).first.wait_for()
    await picture(page, "set-up.png")
    await page.get_by_role("button", name="Add group of mowers").first.click()
    await page.locator("ha-form input").first.fill("All of them")
    await page.get_by_role("button", name="Submit").click()

    async def stored() -> bool:
        groups = (await house.gateway.request("GET", "/groups"))["items"]
        return [each["name"] for each in groups] == ["All of them"]

    await eventually(stored, seconds=30)


async def see_the_tile(page: Page, house: House, mower: str) -> None:
    """Look at a tile with the mower's commands, and start it there."""
    async with house.home_assistant.websocket() as websocket:
        await websocket.call(
            "lovelace/dashboards/create",
            url_path="mow-deck",
            title="Garden",
            mode="storage",
            show_in_sidebar=True,
            require_admin=False,
        )
        commands = {"type": "lawn-mower-commands", "commands": ["start_pause", "dock"]}
        tile = {"type": "tile", "entity": mower, "features": [commands]}
        view = {"title": "Garden", "cards": [tile]}
        await websocket.call("lovelace/config/save", url_path="mow-deck", config={"views": [view]})
    await page.goto(f"{house.home_assistant.url}/mow-deck")
    await page.get_by_text("Docked").first.wait_for()
    await page.locator("hui-lawn-mower-commands-card-feature ha-control-button").first.click()
    await page.get_by_text("Mowing").first.wait_for()
    await picture(page, "tile.png")
    await house.home_assistant.act("lawn_mower.stop", entity_id=mower)
    await house.home_assistant.act("lawn_mower.dock", entity_id=mower)


async def plan_in_the_calendar(page: Page, house: House) -> None:
    """Make an entry in the calendar's panel, and find it as a schedule of the gateway that has run."""
    await page.goto(f"{house.home_assistant.url}/calendar")
    zone = ZoneInfo((await house.gateway.request("GET", "/sites"))["items"][0]["time_zone"])
    tomorrow = (datetime.now(UTC).astimezone(zone) + timedelta(days=1)).date().isoformat()
    # A click on a day shows that day, and an entry that is made there is of that day.
    await page.locator(f"[data-date='{tomorrow}']").first.click()
    await page.get_by_role("button", name="Add event").click()
    editor = page.locator("dialog-calendar-event-editor")
    await editor.locator("input").first.fill("Before the guests")
    await editor.get_by_role("button", name="Add event").click()

    async def stored() -> dict[str, Any] | None:
        schedules = (await house.gateway.request("GET", "/schedules"))["items"]
        return next((each for each in schedules if each["name"] == "Before the guests"), None)

    schedule = await eventually(stored, seconds=30)
    assert (schedule["recurrence"]["kind"], schedule["recurrence"]["day"]) == ("once", tomorrow)
    assert schedule["effective_time_zone"] == str(zone)
    await page.get_by_text("Before the guests").first.wait_for()
    await picture(page, "calendar.png")
    await house.home_assistant.wait_for_state(await house.entity("lawn_mower"), "docked", timeout_seconds=60)
    await house.gateway.request("POST", f"/schedules/{schedule['id']}/run-now", {}, key="run")

    async def ran() -> dict[str, Any] | None:
        runs = (await house.gateway.request("GET", f"/schedules/{schedule['id']}/runs"))["items"]
        return next((each for each in runs if each["outcome"] == "started"), None)

    await eventually(ran, seconds=60)


async def speak(house: House, mower: str) -> None:
    """Speak to the assistant, with the sentences that the action installs."""
    home_assistant = house.home_assistant
    async with home_assistant.websocket() as websocket:
        await websocket.call(
            "homeassistant/expose_entity", assistants=["conversation"], entity_ids=[mower], should_expose=True
        )
    await home_assistant.act("mowdeck.install_sentences")
    name = (await home_assistant.state(mower))["attributes"]["friendly_name"]
    assert (await house.say("skip the next mow")).startswith(f"{name} skips the mow tomorrow at ")
    assert "is skipped already" in await house.say("skip the next mow")
    await home_assistant.wait_for_state(mower, "mowing", timeout_seconds=60)
    assert await house.say("why is the mower not mowing") == f"{name} is mowing."
    await house.say("stop mowing")
    await home_assistant.wait_for_state(mower, "docked", timeout_seconds=60)
    assert name in await house.say("why is the mower not mowing")
    await house.say("start mowing")
    await home_assistant.wait_for_state(mower, "mowing")


async def see_the_triggers(house: House) -> None:
    """See that this version of Home Assistant takes the triggers and conditions."""
    async with house.home_assistant.websocket() as websocket:
        await websocket.call("trigger_platforms/subscribe")
        async for event in websocket.events():
            if "mowdeck.run_started" in event:
                break
        await websocket.call("condition_platforms/subscribe")
        async for event in websocket.events():
            if "mowdeck.is_run_due_today" in event:
                break


async def picture(page: Page, name: str) -> None:
    """Take a picture of a page where that is asked for."""
    if folder := os.environ.get("MOWDECK_SCREENSHOTS"):
        await page.screenshot(path=Path(folder) / name)
