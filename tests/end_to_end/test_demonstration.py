"""What `scripts/run` shows: a dashboard with a section for each simulated mower, in a real browser.

`MOWDECK_SCREENSHOT=docs/images/dashboard.png scripts/test end_to_end -- -k dashboard` renews the README's picture.
"""

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from scripts.running import demonstration
from scripts.running.browser import open_page
from scripts.running.gateway import Gateway
from scripts.running.home_assistant import HomeAssistant
from scripts.set_up.environments import ENVIRONMENTS
from scripts.set_up.places import ROOT
from tests.end_to_end.road import free_port
from tests.reporting.needs import find_chromium

pytestmark = pytest.mark.timeout(180)

_MOWERS = 3


@pytest.fixture
async def home_assistant(tmp_path: Path) -> AsyncIterator[HomeAssistant]:
    """Return a Home Assistant as `scripts/run` prepares it."""
    gateway = Gateway(
        python=ENVIRONMENTS["gateway"].python,
        root=ROOT,
        data_folder=tmp_path / "gateway",
        port=free_port(),
        variables={"MOWDECK_SIM_MOWERS": str(_MOWERS), "MOWDECK_SCHEDULER_WEATHER_PROVIDER": "static"},
    )
    home_assistant = HomeAssistant(
        python=ENVIRONMENTS["home-assistant-2026.11"].python,
        folder=tmp_path / "home-assistant",
        integration=ROOT / "custom_components" / "mowdeck",
        port=free_port(),
    )
    async with gateway, home_assistant:
        await demonstration.prepare(home_assistant, gateway, mowers=_MOWERS)
        yield home_assistant


@pytest.mark.needs_chromium
async def test_the_dashboard_shows_every_mower(home_assistant: HomeAssistant) -> None:
    chromium = find_chromium()
    assert chromium is not None
    states = [each for each in await home_assistant.get("/api/states") if each["entity_id"].startswith("lawn_mower.")]
    names = [each["attributes"]["friendly_name"] for each in states]
    assert len(names) == _MOWERS
    await home_assistant.act("lawn_mower.start_mowing", entity_id=states[0]["entity_id"])
    await home_assistant.wait_for_state(states[0]["entity_id"], "mowing")

    # An automation that is made in the pages lives, and the blueprints are there.
    blueprint = {
        "path": "mowdeck/rain_came.yaml",
        "input": {"held_back": states[0]["entity_id"].replace("lawn_mower.", "binary_sensor.") + "_held_back"},
    }
    await home_assistant.post("/api/config/automation/config/rain", {"alias": "Rain came", "use_blueprint": blueprint})
    await home_assistant.wait_for_state("automation.rain_came", "on")

    async with open_page(home_assistant, f"/{demonstration.DASHBOARD_PATH}", chromium=chromium) as page:
        for name in names:
            await page.get_by_role("heading", name=name).or_(page.get_by_text(name)).first.wait_for(timeout=60_000)
        await page.get_by_text("Mowing").first.wait_for(timeout=30_000)
        await page.get_by_text("Docked").first.wait_for(timeout=30_000)
        if place := os.environ.get("MOWDECK_SCREENSHOT"):
            await page.screenshot(path=place)
