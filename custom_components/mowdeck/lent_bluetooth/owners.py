"""Who has which mower: of several gateways in one Home Assistant, one at a time connects to an address."""

from homeassistant.core import HomeAssistant, callback
from homeassistant.util.hass_dict import HassKey

from custom_components.mowdeck.const import DOMAIN

_OWNERS: HassKey[dict[str, object]] = HassKey(f"{DOMAIN}_bluetooth_owners")


@callback
def take(hass: HomeAssistant, address: str, owner: object) -> bool:
    """Take an address; False when somebody else has it."""
    return hass.data.setdefault(_OWNERS, {}).setdefault(address, owner) is owner


@callback
def give_back(hass: HomeAssistant, address: str, owner: object) -> None:
    """Let go of an address, if it is this owner's."""
    owners = hass.data.setdefault(_OWNERS, {})
    if owners.get(address) is owner:
        del owners[address]
