"""Makes a fresh Home Assistant a garden to look at: a user, MowDeck's entry, a plan, a dashboard."""

import asyncio
import json

from scripts.running.dashboard import Json, dashboard
from scripts.running.gateway import Gateway
from scripts.running.home_assistant import HomeAssistant

USERNAME = "demo"
PASSWORD = "mow-the-lawn"  # noqa: S105  # the demonstration prints it
DASHBOARD_PATH = "mow-deck"

_ENTITIES_SECONDS = 30.0


async def prepare(home_assistant: HomeAssistant, gateway: Gateway, *, mowers: int) -> None:
    """Do what a new owner does after the installation; what was done in an earlier run stays as it is."""
    if await home_assistant.onboarded():
        await home_assistant.log_in(username=USERNAME, password=PASSWORD)
    else:
        await home_assistant.onboard(name="Demo", username=USERNAME, password=PASSWORD)
        await _remove_broken_entries(home_assistant)
    await _put_aside_notices(home_assistant)
    entries = await home_assistant.get("/api/config/config_entries/entry?domain=mowdeck")
    if entries:
        return
    result = await home_assistant.add_gateway(host="127.0.0.1", port=gateway.port, token=gateway.token)
    if result["type"] != "create_entry":
        message = f"Home Assistant did not take MowDeck: {json.dumps(result)}"
        raise RuntimeError(message)
    entities = await _wait_for_mowers(home_assistant, mowers)
    if mowers:
        await home_assistant.act(
            "mowdeck.create_schedule",
            {"name": "Weekday mornings", "days": ["mon", "wed", "fri"], "at": "09:00", "duration_minutes": 120},
            entity_id=min(each["entity_id"] for each in entities if each["entity_id"].startswith("lawn_mower.")),
            answers=True,
        )
    await _make_dashboard(home_assistant)


async def _remove_broken_entries(home_assistant: HomeAssistant) -> None:
    """Remove what the onboarding added and this small Home Assistant cannot run (it may install nothing)."""
    for entry in await home_assistant.get("/api/config/config_entries/entry"):
        if entry["source"] == "onboarding" and entry["state"] == "setup_error":
            await home_assistant.delete(f"/api/config/config_entries/entry/{entry['entry_id']}")


async def _put_aside_notices(home_assistant: HomeAssistant) -> None:
    """Ignore what Home Assistant says of itself: parts it may not install here, no country, settings in a file."""
    async with home_assistant.websocket() as websocket:
        await websocket.wait_until_running()
        for issue in (await websocket.call("repairs/list_issues"))["issues"]:
            if issue["domain"] in ("homeassistant", "http"):
                await websocket.call(
                    "repairs/ignore_issue", domain=issue["domain"], issue_id=issue["issue_id"], ignore=True
                )
    await home_assistant.act("persistent_notification.dismiss", {"notification_id": "invalid_config"})


async def _wait_for_mowers(home_assistant: HomeAssistant, mowers: int) -> list[Json]:
    async with asyncio.timeout(_ENTITIES_SECONDS), home_assistant.websocket() as websocket:
        while True:
            entities: list[Json] = await _mowdeck_entities(home_assistant)
            if sum(each["entity_id"].startswith("lawn_mower.") for each in entities) >= mowers:
                return entities
            await websocket.call("subscribe_events", event_type="entity_registry_updated")
            await anext(websocket.events())


async def _mowdeck_entities(home_assistant: HomeAssistant) -> list[Json]:
    async with home_assistant.websocket() as websocket:
        entities: list[Json] = await websocket.call("config/entity_registry/list")
    return [each for each in entities if each["platform"] == "mowdeck"]


async def _make_dashboard(home_assistant: HomeAssistant) -> None:
    entities = await _mowdeck_entities(home_assistant)
    async with home_assistant.websocket() as websocket:
        devices = {device["id"]: device for device in await websocket.call("config/device_registry/list")}
        await websocket.call(
            "lovelace/dashboards/create",
            url_path=DASHBOARD_PATH,
            title="Garden",
            icon="mdi:robot-mower",
            mode="storage",
            show_in_sidebar=True,
            require_admin=False,
        )
        await websocket.call("lovelace/config/save", url_path=DASHBOARD_PATH, config=dashboard(entities, devices))
