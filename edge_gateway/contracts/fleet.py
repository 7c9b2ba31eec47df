"""Fleet: mowers, sites and targets as they are asked for over the bus."""

from datetime import datetime
from typing import Literal

import msgspec

from edge_gateway.contracts.mower import Mower
from edge_gateway.contracts.quiet_hours import QuietHours
from edge_gateway.contracts.vendor_usage import VendorUsage


class Asking(msgspec.Struct, frozen=True, kw_only=True):
    """Who asks: the base of requests that act for a principal."""

    on_behalf_of: str
    account_id: str


type WeatherSource = Literal["open_meteo", "home_assistant"]


class SiteRain(msgspec.Struct, frozen=True, kw_only=True):
    """A site's settings of the rain rule; a schedule's own fields win."""

    enabled: bool = True
    probability_percent: float = 60.0
    """Over 0 and at most 100."""
    precipitation_mm: float = 0.5
    """Over 0 and at most 100."""
    lookahead_hours: int = 3
    """0 to 48."""
    cooldown_hours: int = 2
    """0 to 48."""
    run_when_unknown: bool = True
    pause_running_jobs_on_rain: bool = True
    resume_when_dry: bool = False


class SiteRainChanges(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What may change of a site's rain settings; absent is left alone, null is the default again."""

    enabled: bool | msgspec.UnsetType | None = msgspec.UNSET
    probability_percent: float | msgspec.UnsetType | None = msgspec.UNSET
    precipitation_mm: float | msgspec.UnsetType | None = msgspec.UNSET
    lookahead_hours: int | msgspec.UnsetType | None = msgspec.UNSET
    cooldown_hours: int | msgspec.UnsetType | None = msgspec.UNSET
    run_when_unknown: bool | msgspec.UnsetType | None = msgspec.UNSET
    pause_running_jobs_on_rain: bool | msgspec.UnsetType | None = msgspec.UNSET
    resume_when_dry: bool | msgspec.UnsetType | None = msgspec.UNSET


class Site(msgspec.Struct, frozen=True, kw_only=True):
    """A garden."""

    id: str
    account_id: str
    name: str
    time_zone: str
    """An IANA zone."""
    time_zone_chosen: bool = False
    """False while it is the default of a fresh gateway: Home Assistant then sets its own."""
    latitude: float | None = None
    """Degrees; both coordinates or none."""
    longitude: float | None = None
    rain: SiteRain = SiteRain()
    """What its schedules take where they say nothing themselves."""
    weather_source: WeatherSource | None = None
    """Where its forecasts come from; null is the gateway's own setting."""
    quiet_hours: QuietHours | None = None
    """When its mowers stay at home; null is never."""


class MowerArea(msgspec.Struct, frozen=True, kw_only=True):
    """An area as the fleet keeps it: the map's, with what the owner set."""

    id: str
    name: str
    enabled: bool = True
    size_m2: float | None = None


class RegisterMowerRequest(msgspec.Struct, frozen=True, kw_only=True):
    """`fleet.mowers.register`: the device gateway found a mower; the same vendor key is the same mower for ever."""

    account_id: str
    provider: str
    vendor_key: str
    vendor_account_id: str | None = None
    name: str
    """Used only when it is new: a name that the owner gave stays."""
    model: str | None = None
    firmware_version: str | None = None
    newest_firmware_version: str | None = None
    """The newest that the vendor offers for it. Null, here and in the others: what was told before stays."""
    serial_number: str | None = None


class MowerReply(msgspec.Struct, frozen=True, kw_only=True):
    """One mower."""

    mower: Mower
    areas: tuple[MowerArea, ...] = ()


class ListMowersRequest(Asking, frozen=True, kw_only=True):
    """`fleet.mowers.list`: the mowers that the principal may see."""

    mower_id: str | None = None
    """Only this one; `not_found` when it is not there or not seen."""


class ListMowersReply(msgspec.Struct, frozen=True, kw_only=True):
    """Mowers in the order of their names."""

    items: tuple[MowerReply, ...]


class UpdateMowerRequest(Asking, frozen=True, kw_only=True):
    """`fleet.mowers.update`: absent is left alone."""

    mower_id: str
    name: str | msgspec.UnsetType = msgspec.UNSET
    site_id: str | msgspec.UnsetType = msgspec.UNSET
    obey_rain: bool | msgspec.UnsetType = msgspec.UNSET


class UpdateAreaRequest(Asking, frozen=True, kw_only=True):
    """`fleet.areas.update`: absent is left alone."""

    mower_id: str
    area_id: str
    name: str | msgspec.UnsetType = msgspec.UNSET
    enabled: bool | msgspec.UnsetType = msgspec.UNSET


class ListSitesReply(msgspec.Struct, frozen=True, kw_only=True):
    """`fleet.sites.list`, asked with `Asking`."""

    items: tuple[Site, ...]


class CreateSiteRequest(Asking, frozen=True, kw_only=True):
    """`fleet.sites.create`."""

    name: str
    time_zone: str
    latitude: float | None = None
    longitude: float | None = None
    rain: SiteRainChanges = SiteRainChanges()
    weather_source: WeatherSource | None = None
    quiet_hours: QuietHours | None = None


class UpdateSiteRequest(Asking, frozen=True, kw_only=True):
    """`fleet.sites.update`: absent is left alone; a time zone that is given counts as chosen."""

    site_id: str
    name: str | msgspec.UnsetType = msgspec.UNSET
    time_zone: str | msgspec.UnsetType = msgspec.UNSET
    latitude: float | msgspec.UnsetType | None = msgspec.UNSET
    longitude: float | msgspec.UnsetType | None = msgspec.UNSET
    rain: SiteRainChanges = SiteRainChanges()
    weather_source: WeatherSource | msgspec.UnsetType | None = msgspec.UNSET
    quiet_hours: QuietHours | msgspec.UnsetType | None = msgspec.UNSET


class DeleteSiteRequest(Asking, frozen=True, kw_only=True):
    """`fleet.sites.delete`: refused for the default one and for one that has mowers."""

    site_id: str


class ResolveTargetRequest(msgspec.Struct, frozen=True, kw_only=True):
    """`fleet.targets.resolve`: one of mower or group; services ask it for themselves."""

    account_id: str
    mower_id: str | None = None
    group_id: str | None = None


class TargetMower(msgspec.Struct, frozen=True, kw_only=True):
    """A mower of a target."""

    mower_id: str
    site: Site
    area_ids: tuple[str, ...] | None
    """Every area of its map; null while no map is known."""
    enabled_area_ids: tuple[str, ...] | None
    """The enabled ones; null while no map is known."""
    obey_rain: bool
    provider: str | None = None


class ResolveTargetReply(msgspec.Struct, frozen=True, kw_only=True):
    """The target's mowers; a target that is gone is an error `target_gone` (not_found)."""

    mowers: tuple[TargetMower, ...]
    """In the order of their ids."""
    account_owner: str
    """The principal that stands in when an owner lost its right."""
    default_site: Site
    max_concurrent: int | None = None
    """Of a group: so many of its mowers are out at a time; null is all."""


class MowerChanged(msgspec.Struct, frozen=True, kw_only=True):
    """`fleet.mower.changed`: registered, renamed, moved, areas enabled, removed."""

    mower_id: str
    removed: bool = False


class SiteChanged(msgspec.Struct, frozen=True, kw_only=True):
    """`fleet.site.changed`."""

    site_id: str
    removed: bool = False


class VendorAccount(msgspec.Struct, frozen=True, kw_only=True):
    """A login at a vendor, without its secrets."""

    id: str
    account_id: str
    provider: str
    username: str
    status: str
    """`starting`, `connected`, `unreachable` or `rejected` (the owner must log in again)."""
    detail: str | None = None
    """A sentence when it is not connected."""
    usage: VendorUsage | None = None
    """Null when another gateway runs the login, or none."""
    created_at: datetime


class VendorAccountChanged(msgspec.Struct, frozen=True, kw_only=True):
    """`device.vendor_account.changed`: made, removed, connected, refused by the vendor."""

    vendor_account_id: str
    removed: bool = False


class CreateVendorAccountRequest(Asking, frozen=True, kw_only=True):
    """`device_gateway.vendor_accounts.create`: logs in before it answers; a refused login stores nothing."""

    provider: str
    username: str
    password: str


class UpdateVendorAccountRequest(Asking, frozen=True, kw_only=True):
    """`device_gateway.vendor_accounts.update`: log in again with a new password."""

    vendor_account_id: str
    password: str


class DeleteVendorAccountRequest(Asking, frozen=True, kw_only=True):
    """`device_gateway.vendor_accounts.delete`: its mowers stay in the fleet, unavailable."""

    vendor_account_id: str


class ListVendorAccountsReply(msgspec.Struct, frozen=True, kw_only=True):
    """`device_gateway.vendor_accounts.list`, asked with `Asking`."""

    items: tuple[VendorAccount, ...]
