"""The gateway, its mowers and its schedules in Home Assistant's device registry."""

from collections.abc import Set as AbstractSet

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers.device_registry import ChildDeviceInfo, DeviceEntry, DeviceEntryType

from .client.bridge import Bridge
from .client.group import Group
from .client.info import Info
from .client.mower import Area, Mower
from .client.schedule import Schedule
from .client.site import Site
from .const import DOMAIN, MANUFACTURER

PROVIDER_MANUFACTURERS = {"mammotion": "Mammotion", "simulator": MANUFACTURER}
"""Who makes the mowers of a provider."""


class Devices:
    """The devices of one config entry: the gateway, mowers via it, schedules via their mowers."""

    def __init__(self, hass: HomeAssistant, entry: ConfigEntry, gateway_id: str) -> None:
        """Take the registry and the gateway that everything hangs on."""
        self._registry = dr.async_get(hass)
        self._entry_id = entry.entry_id
        self._gateway_id = gateway_id

    @callback
    def put_gateway(self, info: Info) -> None:
        """Make or update the gateway's device."""
        self._registry.async_get_or_create(
            config_entry_id=self._entry_id,
            identifiers={(DOMAIN, self._gateway_id)},
            entry_type=DeviceEntryType.SERVICE,
            manufacturer=MANUFACTURER,
            model="Gateway",
            name=info.name,
            sw_version=info.version,
        )

    @callback
    def put_mower(self, mower: Mower) -> None:
        """Make or update a mower's device."""
        self._registry.async_get_or_create(
            config_entry_id=self._entry_id,
            identifiers={(DOMAIN, mower.id)},
            manufacturer=PROVIDER_MANUFACTURERS.get(mower.provider, mower.provider),
            model=mower.model,
            name=mower.name,
            serial_number=mower.serial_number,
            sw_version=mower.firmware_version,
            via_device_id=self._id_of(self._gateway_id),
        )

    @callback
    def put_area(self, mower_id: str, area: Area) -> None:
        """Make or rename the device of an area, a part of its mower's."""
        if (mower := self.find(mower_id)) is not None:
            self._registry.async_get_or_create_child(
                config_entry_id=self._entry_id,
                identifiers={(DOMAIN, _area_subject(mower_id, area.id))},
                name=area.name,
                parent_device_id=mower.id,
            )

    @callback
    def area_info(self, mower_id: str, area_id: str) -> ChildDeviceInfo | None:
        """Return what ties an entity to the device of an area."""
        mower = self.find(mower_id)
        if mower is None:
            return None
        return ChildDeviceInfo(identifiers={(DOMAIN, _area_subject(mower_id, area_id))}, parent_device_id=mower.id)

    @callback
    def area_ids(self, mower_id: str) -> frozenset[str]:
        """Return the areas of a mower that have devices."""
        return frozenset(subject.partition("/")[2] for subject in self._area_devices(mower_id))

    @callback
    def remove_area(self, mower_id: str, area_id: str) -> None:
        """Remove an area's device, and with it its entities."""
        device_id = self._area_devices(mower_id).get(_area_subject(mower_id, area_id))
        if device_id is not None:
            self._registry.async_remove_device(device_id)

    def _area_devices(self, mower_id: str) -> dict[str, str]:
        """Return the ids of the devices of a mower's areas by what they stand for."""
        mower = self.find(mower_id)
        if mower is None:
            return {}
        return {
            subject: device.id
            for device in dr.async_entries_for_parent_device(self._registry, mower.id)
            for subject in subjects_of(device)
        }

    @callback
    def put_schedule(self, schedule: Schedule) -> None:
        """Make or update a schedule's device: via its mower or group, or via the gateway where that is not known."""
        target = schedule.target
        subject_id = target.mower_id if target.group_id is None else group_subject(target.group_id)
        via = self.find(subject_id) if subject_id is not None else None
        self._registry.async_get_or_create(
            config_entry_id=self._entry_id,
            identifiers={(DOMAIN, schedule.id)},
            entry_type=DeviceEntryType.SERVICE,
            manufacturer=MANUFACTURER,
            model="Schedule",
            name=schedule.name,
            via_device_id=self._id_of(self._gateway_id) if via is None else via.id,
        )

    @callback
    def put_site(self, site: Site) -> None:
        """Make or update a site's device, via the gateway."""
        self._put_service(site_subject(site.id), "Site", site.name)

    @callback
    def put_group(self, group: Group) -> None:
        """Make or update a group's device, via the gateway."""
        self._put_service(group_subject(group.id), "Group", group.name)

    @callback
    def put_bridge(self, bridge: Bridge, subentry_id: str) -> None:
        """Make or update a Bluetooth bridge's device, via the gateway; it belongs to the bridge's mirror."""
        self._registry.async_get_or_create(
            config_entry_id=self._entry_id,
            config_subentry_id=subentry_id,
            identifiers={(DOMAIN, bridge_subject(bridge.id))},
            manufacturer="ESPHome",
            model="Bluetooth bridge",
            name=bridge.name,
            # Not as a connection: Home Assistant may know the same board by another integration.
            serial_number=bridge.expected_mac,
            sw_version=bridge.esphome_version,
            via_device_id=self._id_of(self._gateway_id),
        )

    @callback
    def remove_other_bridges(self, known: AbstractSet[str]) -> None:
        """Remove the devices of bridges that are not known any more."""
        for subject_id in self.bridge_subjects() - {bridge_subject(bridge_id) for bridge_id in known}:
            self.remove(subject_id)

    @callback
    def bridge_subjects(self) -> frozenset[str]:
        """Return what the devices of bridges stand for."""
        return frozenset(subject_id for subject_id in self.subjects() if subject_id.startswith(bridge_subject("")))

    def _put_service(self, subject_id: str, model: str, name: str) -> None:
        self._registry.async_get_or_create(
            config_entry_id=self._entry_id,
            identifiers={(DOMAIN, subject_id)},
            entry_type=DeviceEntryType.SERVICE,
            manufacturer=MANUFACTURER,
            model=model,
            name=name,
            via_device_id=self._id_of(self._gateway_id),
        )

    @callback
    def find(self, subject_id: str) -> DeviceEntry | None:
        """Return the device of a mower, a schedule or the gateway by its id at the gateway."""
        return self._registry.async_get_device_by_identifier((DOMAIN, subject_id), self._entry_id)

    @callback
    def remove(self, subject_id: str) -> None:
        """Remove a device, and with it its entities."""
        if (device := self.find(subject_id)) is not None:
            self._registry.async_remove_device(device.id)

    @callback
    def subjects(self) -> frozenset[str]:
        """Return the ids at the gateway of all devices but the gateway's own."""
        return frozenset(
            subject_id
            for device in dr.async_entries_for_config_entry(self._registry, self._entry_id)
            for subject_id in subjects_of(device)
        ) - {self._gateway_id}

    @callback
    def remove_others(self, known: AbstractSet[str]) -> None:
        """Remove the devices of what is not known any more."""
        for subject_id in self.subjects() - known:
            self.remove(subject_id)

    def _id_of(self, subject_id: str) -> str | None:
        device = self.find(subject_id)
        return None if device is None else device.id


def subjects_of(device: dr.AnyDeviceEntry) -> frozenset[str]:
    """Return the ids at the gateway that a device stands for."""
    return frozenset(identifier[1] for identifier in device.identifiers if identifier[0] == DOMAIN)


def site_subject(site_id: str) -> str:
    """Return how a site is named among devices: its id is unique only within its gateway."""
    return f"site/{site_id}"


def group_subject(group_id: str) -> str:
    """Return how a group is named among devices."""
    return f"group/{group_id}"


def bridge_subject(bridge_id: str) -> str:
    """Return how a Bluetooth bridge is named among devices."""
    return f"bridge/{bridge_id}"


def _area_subject(mower_id: str, area_id: str) -> str:
    """Return how an area is named among devices: its own id is unique within its mower."""
    return f"{mower_id}/{area_id}"
