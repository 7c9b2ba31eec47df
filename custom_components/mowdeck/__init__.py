"""The MowDeck integration: the mowers and schedules of a MowDeck gateway in Home Assistant."""

from homeassistant.const import CONF_HOST, CONF_PORT, CONF_TOKEN, Platform
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ConfigEntryAuthFailed, ConfigEntryError, ConfigEntryNotReady
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.aiohttp_client import async_get_clientsession
from homeassistant.helpers.device_registry import AnyDeviceEntry
from homeassistant.helpers.entity_platform import async_get_platforms
from homeassistant.helpers.typing import ConfigType

from .bridges import Bridges
from .client.client import Client
from .client.errors import AuthenticationError, ClientError, VersionError
from .client.turns import Turns
from .coexistence import Coexistence
from .const import DOMAIN
from .devices import bridge_subject, group_subject, site_subject, subjects_of
from .group_mirrors import GroupMirrors
from .hub import Hub, MowDeckConfigEntry
from .introduction import Introduction
from .lent_bluetooth.lending import Lending
from .mower_actions import async_setup_mower_actions
from .plan_actions import async_setup_plan_actions
from .repairs_of_findings import Repairs
from .run_log import RunLog
from .sentence_actions import async_setup_sentence_actions
from .services import async_setup_services
from .vendor_accounts import VendorAccounts
from .version_issue import clear_version, show_version, version_failure
from .weather_push import WeatherPush

CONFIG_SCHEMA = cv.config_entry_only_config_schema(DOMAIN)

PLATFORMS = (
    Platform.BINARY_SENSOR,
    Platform.BUTTON,
    Platform.CALENDAR,
    Platform.DATETIME,
    Platform.DEVICE_TRACKER,
    Platform.EVENT,
    Platform.IMAGE,
    Platform.LAWN_MOWER,
    Platform.NUMBER,
    Platform.SELECT,
    Platform.SENSOR,
    Platform.SWITCH,
    Platform.TIME,
    Platform.UPDATE,
)

FIRST_SNAPSHOT_SECONDS = 15.0
"""How long the setup waits for the state of everything before it is tried again later."""


async def async_setup(hass: HomeAssistant, _config: ConfigType) -> bool:
    """Register the actions, which exist with and without a gateway."""
    async_setup_services(hass)
    async_setup_plan_actions(hass)
    async_setup_mower_actions(hass)
    async_setup_sentence_actions(hass)
    return True


async def async_setup_entry(hass: HomeAssistant, entry: MowDeckConfigEntry) -> bool:
    """Connect to a gateway and bring its entities."""
    client = Client(
        async_get_clientsession(hass),
        host=entry.data[CONF_HOST],
        port=entry.data[CONF_PORT],
        token=entry.data[CONF_TOKEN],
    )
    placeholders = {"address": client.address}
    try:
        info = await client.get_info()
        if info.gateway_id != entry.unique_id:
            raise ConfigEntryError(
                translation_domain=DOMAIN, translation_key="wrong_gateway", translation_placeholders=placeholders
            )
        hub = Hub(hass, entry, client, info)
        await hub.start(FIRST_SNAPSHOT_SECONDS)
    except AuthenticationError as error:
        raise ConfigEntryAuthFailed(
            translation_domain=DOMAIN, translation_key="setup_invalid_auth", translation_placeholders=placeholders
        ) from error
    except VersionError as error:
        show_version(hass, entry, error)
        raise version_failure(error, client.address) from error
    except ClientError as error:
        raise ConfigEntryNotReady(
            translation_domain=DOMAIN,
            translation_key="setup_failed",
            translation_placeholders=placeholders | {"detail": str(error)},
        ) from error
    entry.runtime_data = hub
    await _bring_platforms(hass, entry)
    await hub.open()
    hub.mirrors.start()
    for followed in (VendorAccounts, Bridges, GroupMirrors):
        followed(hass, entry, hub).start()
    Introduction(hass, entry, hub).start()
    Repairs(hass, entry, hub).start()
    RunLog(hass, entry, hub).start()
    Coexistence(hass, entry, hub).start()
    WeatherPush(hass, entry, hub).start()
    Lending(hass, entry, hub).start()
    # 2026.10 takes nothing but True; 2026.11 would rather have None.
    return True


async def _bring_platforms(hass: HomeAssistant, entry: MowDeckConfigEntry) -> None:
    """Bring the platforms with turns for other work between: Home Assistant sets up what it is given in one piece."""
    turns = Turns()
    for platform in PLATFORMS:
        await hass.config_entries.async_forward_entry_setups(entry, (platform,))
        await turns.give()


async def async_unload_entry(hass: HomeAssistant, entry: MowDeckConfigEntry) -> bool:
    """Let go of the gateway, then take the entities away."""
    entry.runtime_data.stop()
    await _take_away(hass, entry)
    return await hass.config_entries.async_unload_platforms(entry, PLATFORMS)


async def _take_away(hass: HomeAssistant, entry: MowDeckConfigEntry) -> None:
    """Take the entities away with turns for other work between: Home Assistant takes thousands in one piece."""
    turns = Turns()
    for platform in async_get_platforms(hass, DOMAIN):
        if platform.config_entry is entry:
            for entity in tuple(platform.entities.values()):
                await entity.async_remove()
                await turns.give()


async def async_remove_entry(hass: HomeAssistant, entry: MowDeckConfigEntry) -> None:
    """Leave nothing behind; schedules stay at the gateway, and keep mowing."""
    clear_version(hass, entry)


async def async_remove_config_entry_device(
    _hass: HomeAssistant, entry: MowDeckConfigEntry, device: AnyDeviceEntry
) -> bool:
    """Let the owner remove a device only when the gateway does not know it."""
    hub = entry.runtime_data
    known = hub.mowers.views.keys() | hub.schedules.views.keys() | {hub.info.gateway_id}
    known |= {site_subject(site_id) for site_id in hub.sites}
    known |= {group_subject(group_id) for group_id in hub.groups.views}
    known |= {bridge_subject(bridge_id) for bridge_id in hub.bridges.views}
    return not subjects_of(device) & known
