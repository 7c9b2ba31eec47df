"""What is known of one gateway: mowers, schedules, sites and groups, each with its device and those who show it."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, callback

from .areas import Areas
from .arrivals import Arrivals
from .client.bridge import Bridge
from .client.client import Client
from .client.group import Group
from .client.info import Info
from .client.messages import Change, Snapshot
from .client.mower import Mower
from .client.schedule import Schedule
from .client.site import Site
from .client.vendor_account import VendorAccount
from .devices import Devices, bridge_subject, group_subject, site_subject
from .dispatch import Dispatch
from .lookups import Lookup
from .mirrors import Kind, Mirrors
from .roster import Roster

PARTS_OF_A_MOWER = (*(field.name for field in fields(Mower)), "heard")
"""What an entity may listen to alone: a mower reports every second, and most of it is as it was."""


class Garden:
    """The state of one gateway, without the connection that brings it."""

    def __init__(self, hass: HomeAssistant, entry: ConfigEntry[Any], client: Client, info: Info) -> None:
        """Begin with nothing."""
        self.hass = hass
        self.client = client
        self.info = info
        self.devices = Devices(hass, entry, info.gateway_id)
        self._arrivals = Arrivals(hass, entry)
        self.mowers = Roster[Mower](
            self._arrivals,
            parts=PARTS_OF_A_MOWER,
            put_device=self._put_mower_device,
            remove_device=self.devices.remove,
            described=lambda mower: (
                mower.name,
                mower.provider,
                mower.model,
                mower.serial_number,
                mower.firmware_version,
            ),
        )
        self.schedules = Roster[Schedule](
            self._arrivals,
            put_device=self.devices.put_schedule,
            remove_device=self.devices.remove,
            described=lambda schedule: (schedule.name, schedule.target),
        )
        self.site_roster = Roster[Site](
            self._arrivals,
            put_device=self.devices.put_site,
            remove_device=lambda site_id: self.devices.remove(site_subject(site_id)),
            described=lambda site: site.name,
        )
        self.groups = Roster[Group](
            self._arrivals,
            put_device=self._put_group_device,
            remove_device=lambda group_id: self.devices.remove(group_subject(group_id)),
            described=lambda group: group.name,
        )
        self.mirrors = Mirrors(hass, entry, client)
        self.accounts = Roster[VendorAccount](
            self._arrivals,
            # A login has no device: what is left of its budget stands at the gateway.
            put_device=lambda _account: None,
            remove_device=lambda _account_id: None,
            described=lambda account: account.username,
        )
        self.bridges = Roster[Bridge](
            self._arrivals,
            put_device=self._put_bridge_device,
            remove_device=lambda bridge_id: self.devices.remove(bridge_subject(bridge_id)),
            described=lambda bridge: (bridge.name, bridge.expected_mac, bridge.esphome_version),
        )
        """Asked for as the logins are, not told by the event stream: those that have a mirror."""
        self.plans = Dispatch()
        """Listeners by the id of the mower or the group whose plan changed."""
        self.schedules.on_any(self._tell_plan)
        self.groups.on_any(self._tell_members)
        self.health = Lookup(hass, entry, "totals", client.get_health)
        self.rain = Lookup(hass, entry, "rain verdict", client.get_weather)
        self.mowed = Lookup(hass, entry, "mowed areas", client.get_mowed_areas)
        self.maps = Lookup(hass, entry, "map", client.get_map)
        self.links = Lookup(hass, entry, "links", client.get_links)
        self.lookups = (self.health, self.rain, self.mowed, self.maps, self.links)
        self.areas = Areas(self.devices, self._arrivals)
        self.mowers.on_any(self._follow_areas)

    async def open(self) -> None:
        """Let the platforms, which are there now, make the entities."""
        self.mowers.on_new(lambda mower_id: self.areas.put(self.mowers.views[mower_id]))
        await self.site_roster.open()
        await self.mowers.open()
        await self.groups.open()
        await self.schedules.open()
        await self.accounts.open()
        await self.bridges.open()

    async def replace(self, snapshot: Snapshot) -> None:
        """Take everything as it is."""
        await self.site_roster.replace(snapshot.sites)
        await self.mowers.replace(snapshot.mowers)
        await self.groups.replace(snapshot.groups)
        await self.schedules.replace(snapshot.schedules)
        self._remove_missing()
        for lookup in self.lookups:
            lookup.refresh_all()

    @callback
    def apply(self, change: Change) -> None:
        """Take what changed."""
        if change.mower is not None:
            self.mowers.put(change.mower)
        if change.mower_removed is not None:
            self._remove_mower(change.mower_removed)
        if change.schedule is not None:
            self.schedules.put(change.schedule)
        if change.schedule_removed is not None:
            self.schedules.remove(change.schedule_removed)
        if change.site is not None:
            self.site_roster.put(change.site)
        if change.site_removed is not None:
            self.site_roster.remove(change.site_removed)
        if change.group is not None:
            self.groups.put(change.group)
        if change.group_removed is not None:
            self.groups.remove(change.group_removed)

    @callback
    def put_answered(self, schedule: Schedule) -> None:
        """Take a schedule that a request was answered with, unless the stream has brought a newer one already."""
        known = self.schedules.views.get(schedule.id)
        if known is None or schedule.changed_at >= known.changed_at:
            self.schedules.put(schedule)

    @property
    def sites(self) -> Mapping[str, Site]:
        """The sites by id."""
        return self.site_roster.views

    def time_zone_of(self, subject_id: str | None) -> str:
        """Return the zone in which the site of a mower, or of a group's first, lives; Home Assistant's own else."""
        group = self.groups.views.get(subject_id or "")
        mower_id = group.mower_ids[0] if group is not None and group.mower_ids else subject_id
        mower = self.mowers.views.get(mower_id or "")
        site = None if mower is None else self.sites.get(mower.site_id)
        return self.hass.config.time_zone if site is None else site.time_zone

    def mowers_of(self, schedule: Schedule) -> tuple[str, ...]:
        """Return the ids of the mowers that a schedule is for."""
        target = schedule.target
        if target.mower_id is not None:
            return (target.mower_id,)
        group = self.groups.views.get(target.group_id or "")
        return () if group is None else group.mower_ids

    async def tell_all(self) -> None:
        """Have everybody look again."""
        rosters = (self.mowers, self.schedules, self.site_roster, self.groups, self.accounts, self.bridges)
        for roster in rosters:
            await roster.tell_all()

    @callback
    def _follow_areas(self, mower: Mower) -> None:
        """Follow the map of a mower, unless this is the view before the last or the mower is gone."""
        if self.mowers.views.get(mower.id) is mower:
            self.areas.follow(mower)

    def _remove_mower(self, mower_id: str) -> None:
        self.areas.forget(mower_id)
        self.mowers.remove(mower_id)
        for lookup in self.lookups:
            lookup.forget(mower_id)

    @callback
    def _tell_plan(self, schedule: Schedule) -> None:
        if schedule.target.group_id is not None:
            self.plans.tell(schedule.target.group_id)
        for mower_id in self.mowers_of(schedule):
            self.plans.tell(mower_id)

    @callback
    def _tell_members(self, group: Group) -> None:
        for mower_id in group.mower_ids:
            self.plans.tell(mower_id)

    def _put_mower_device(self, mower: Mower) -> None:
        """Put a mower's device, and hang the schedules on it that came before it did."""
        new = self.devices.find(mower.id) is None
        self.devices.put_mower(mower)
        if new:
            self._hang(lambda schedule: schedule.target.mower_id == mower.id)

    def _put_group_device(self, group: Group) -> None:
        """Put a group's device, and hang the schedules on it that came before it did."""
        new = self.devices.find(group_subject(group.id)) is None
        self.devices.put_group(group)
        if new:
            self._hang(lambda schedule: schedule.target.group_id == group.id)

    def _put_bridge_device(self, bridge: Bridge) -> None:
        if (mirror := self.mirrors.find(Kind.BRIDGE, bridge.id)) is not None:
            self.devices.put_bridge(bridge, mirror.subentry_id)

    def _hang(self, belongs: Callable[[Schedule], bool]) -> None:
        for schedule in self.schedules.views.values():
            if belongs(schedule) and self.devices.find(schedule.id) is not None:
                self.devices.put_schedule(schedule)

    def _remove_missing(self) -> None:
        """Remove the devices of what the gateway does not have any more, where it is in a state to know that."""
        if not all(self.info.services.get(service, True) for service in ("fleet", "scheduler")):
            return
        for mower_id in self.mowers.missing():
            self._remove_mower(mower_id)
        for roster in (self.schedules, self.site_roster, self.groups):
            for subject_id in roster.missing():
                roster.remove(subject_id)
        known = self.mowers.views.keys() | self.schedules.views.keys()
        known |= {site_subject(site_id) for site_id in self.sites} | self.devices.bridge_subjects()
        self.devices.remove_others(known | {group_subject(group_id) for group_id in self.groups.views})
