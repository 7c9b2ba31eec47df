"""What the gateway says is wrong becomes a repair, and goes when it is over; system health counts."""

from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import async_fire_time_changed

from custom_components.mowdeck.const import DOMAIN
from custom_components.mowdeck.hub import MowDeckConfigEntry
from custom_components.mowdeck.repairs_of_findings import CODES, INTERVAL, OTHER
from custom_components.mowdeck.system_health import system_health_info
from tests.emulators.gateway import documents
from tests.emulators.gateway.documents import Json
from tests.emulators.gateway.gateway import EmulatedGateway
from tests.home_assistant.test_integration_files import read
from tests.home_assistant.waiting import until


def finding(code: str, **changes: object) -> Json:
    return {
        "id": f"finding-{code}",
        "code": code,
        "severity": "warning",
        "detail": "Something is wrong.",
        "remedy": "Do something.",
        "mower_id": documents.MOWER_ID,
        "service": None,
        "began_at": None,
        "values": {},
    } | changes


NOTICE = {"type": "notifications.event", "payload": {"mower_id": documents.MOWER_ID, "code": "stuck"}}


def shown(registry: ir.IssueRegistry) -> dict[str | None, ir.IssueEntry]:
    return {issue.translation_key: issue for (domain, _), issue in registry.issues.items() if domain == DOMAIN}


async def test_what_is_wrong_is_a_repair_until_it_is_over(
    hass: HomeAssistant, gateway: EmulatedGateway, loaded: MowDeckConfigEntry, issue_registry: ir.IssueRegistry
) -> None:
    gateway.findings = [finding("stuck", severity="alarm"), finding("of tomorrow", mower_id=None)]
    await gateway.events.tell(event=NOTICE)
    await until(hass, lambda: set(shown(issue_registry)) == {"finding_stuck", "finding_other"})
    stuck, other = (shown(issue_registry)[f"finding_{key}"] for key in ("stuck", "other"))
    assert stuck.severity is ir.IssueSeverity.ERROR
    assert stuck.translation_placeholders is not None
    assert stuck.translation_placeholders["name"] == "Front lawn"
    assert other.translation_placeholders is not None
    assert other.translation_placeholders["name"] == "MowDeck"
    # Without an answer, what is known stays.
    gateway.findings = None
    await gateway.events.tell(event=NOTICE)
    gateway.findings = [
        finding("service_not_ready", mower_id=None, service="telemetry"),
        finding("bridge_deaf", mower_id=None, bridge_id="bridge-1", bridge_name="Shed"),
    ]
    async_fire_time_changed(hass, dt_util.utcnow() + INTERVAL * 2)
    await until(hass, lambda: set(shown(issue_registry)) == {"finding_service_not_ready", "finding_bridge_deaf"})
    of_the_bridge = shown(issue_registry)["finding_bridge_deaf"].translation_placeholders
    assert of_the_bridge is not None
    assert of_the_bridge["bridge"] == "Shed"
    assert await hass.config_entries.async_unload(loaded.entry_id)
    assert shown(issue_registry) == {}


def test_every_code_has_its_texts() -> None:
    texts = {key for key in read("translations/en.json")["issues"] if key.startswith("finding_")}
    assert texts == {f"finding_{code}" for code in (*CODES, OTHER)}


async def test_system_health_counts(hass: HomeAssistant, loaded: MowDeckConfigEntry) -> None:
    told = await system_health_info(hass)
    assert told == {"gateway_version": "0.1.0", "connected": "1/1", "services": "ok", "mowers": 1, "schedules": 1}
    assert set(told) == set(read("translations/en.json")["system_health"]["info"])
    assert await hass.config_entries.async_unload(loaded.entry_id)
    assert (await system_health_info(hass))["mowers"] == 0
