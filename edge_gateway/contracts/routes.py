"""Every request of the bus: its subject, what is asked and what is answered."""

import msgspec

from edge_gateway.contracts import (
    bluetooth_relay,
    bridges,
    commands,
    device,
    fleet,
    grants,
    groups,
    notifications,
    principals,
    problems,
    schedules,
    telemetry,
    weather,
)
from edge_gateway.contracts.device import Nothing


class Route[Q: msgspec.Struct, A: msgspec.Struct](msgspec.Struct, frozen=True):
    """A question that can be asked over the bus."""

    subject: str
    question: type[Q]
    answer: type[A]

    @property
    def service(self) -> str:
        """The service that answers: the first token, and its queue group."""
        return self.subject.partition(".")[0]


COMMANDS_ISSUE = Route("fleet.commands.issue", commands.IssueCommandRequest, commands.IssueCommandReply)
COMMANDS_GET = Route("fleet.commands.get", commands.GetCommandRequest, commands.Command)
COMMANDS_SINCE = Route("fleet.commands.since", commands.CommandsSinceRequest, commands.CommandsSinceReply)
TARGETS_RESOLVE = Route("fleet.targets.resolve", fleet.ResolveTargetRequest, fleet.ResolveTargetReply)
PERMISSIONS_CHECK = Route("fleet.permissions.check", principals.PermissionCheckRequest, principals.PermissionCheckReply)
PRINCIPALS_PUT = Route("fleet.principals.put", grants.PutPrincipalsRequest, grants.PrincipalsReply)
PRINCIPALS_GONE = Route("fleet.principals.gone", grants.GonePrincipalsRequest, grants.GonePrincipalsReply)
MOWERS_REGISTER = Route("fleet.mowers.register", fleet.RegisterMowerRequest, fleet.MowerReply)
MOWERS_LIST = Route("fleet.mowers.list", fleet.ListMowersRequest, fleet.ListMowersReply)
MOWERS_UPDATE = Route("fleet.mowers.update", fleet.UpdateMowerRequest, fleet.MowerReply)
AREAS_UPDATE = Route("fleet.areas.update", fleet.UpdateAreaRequest, fleet.MowerReply)
SITES_LIST = Route("fleet.sites.list", fleet.Asking, fleet.ListSitesReply)
SITES_CREATE = Route("fleet.sites.create", fleet.CreateSiteRequest, fleet.Site)
SITES_UPDATE = Route("fleet.sites.update", fleet.UpdateSiteRequest, fleet.Site)
SITES_DELETE = Route("fleet.sites.delete", fleet.DeleteSiteRequest, Nothing)
GROUPS_LIST = Route("fleet.groups.list", fleet.Asking, groups.ListGroupsReply)
GROUPS_CREATE = Route("fleet.groups.create", groups.CreateGroupRequest, groups.Group)
GROUPS_UPDATE = Route("fleet.groups.update", groups.UpdateGroupRequest, groups.Group)
GROUPS_DELETE = Route("fleet.groups.delete", groups.DeleteGroupRequest, Nothing)

VENDOR_ACCOUNTS_LIST = Route("device_gateway.vendor_accounts.list", fleet.Asking, fleet.ListVendorAccountsReply)
VENDOR_ACCOUNTS_CREATE = Route(
    "device_gateway.vendor_accounts.create", fleet.CreateVendorAccountRequest, fleet.VendorAccount
)
VENDOR_ACCOUNTS_UPDATE = Route(
    "device_gateway.vendor_accounts.update", fleet.UpdateVendorAccountRequest, fleet.VendorAccount
)
VENDOR_ACCOUNTS_DELETE = Route("device_gateway.vendor_accounts.delete", fleet.DeleteVendorAccountRequest, Nothing)
BRIDGES_LIST = Route("device_gateway.bridges.list", fleet.Asking, bridges.ListBridgesReply)
BRIDGES_CREATE = Route("device_gateway.bridges.create", bridges.CreateBridgeRequest, bridges.Bridge)
BRIDGES_UPDATE = Route("device_gateway.bridges.update", bridges.UpdateBridgeRequest, bridges.Bridge)
BRIDGES_DELETE = Route("device_gateway.bridges.delete", bridges.BridgeRequest, Nothing)
BRIDGES_HEALTH = Route("device_gateway.bridges.health", bridges.BridgeRequest, bridges.BridgeHealth)
BRIDGES_FINDINGS = Route("device_gateway.bridges.findings", fleet.Asking, bridges.BridgeFindingsReply)
BRIDGES_FOUND = Route("device_gateway.bridges.found", fleet.Asking, bridges.FoundBridgesReply)
LINKS_GET = Route("device_gateway.links.get", bridges.LinksRequest, bridges.LinksReply)
LINKS_PUT = Route("device_gateway.links.put", bridges.PutLinksRequest, bridges.LinksReply)
LINKS_RELEASE = Route("device_gateway.links.release", bridges.ReleaseLinkRequest, bridges.LinksReply)
BLUETOOTH_OPEN = Route("device_gateway.bluetooth.open", bluetooth_relay.OpenLendingRequest, Nothing)
BLUETOOTH_HEAR = Route("device_gateway.bluetooth.hear", bluetooth_relay.HearLentRequest, Nothing)
BLUETOOTH_COLLECT = Route(
    "device_gateway.bluetooth.collect", bluetooth_relay.CollectLentRequest, bluetooth_relay.CollectLentReply
)
BLUETOOTH_CLOSE = Route("device_gateway.bluetooth.close", bluetooth_relay.CloseLendingRequest, Nothing)
MAPS_GET = Route("device_gateway.maps.get", device.MowerRequest, device.MapReply)
PROBLEMS_GET = Route("device_gateway.problems.get", device.MowerRequest, problems.ProblemsReply)
SETTINGS_LIST = Route("device_gateway.settings.list", device.MowerRequest, device.SettingsReply)

SCHEDULES_LIST = Route("scheduler.schedules.list", schedules.ListSchedulesRequest, schedules.ListSchedulesReply)
SCHEDULES_CREATE = Route("scheduler.schedules.create", schedules.CreateScheduleRequest, schedules.Schedule)
SCHEDULES_GET = Route("scheduler.schedules.get", schedules.ScheduleRequest, schedules.Schedule)
SCHEDULES_UPDATE = Route("scheduler.schedules.update", schedules.UpdateScheduleRequest, schedules.Schedule)
SCHEDULES_DELETE = Route("scheduler.schedules.delete", schedules.ScheduleRequest, Nothing)
SCHEDULES_RUN_NOW = Route("scheduler.schedules.run_now", schedules.RunNowRequest, schedules.RunNowReply)
SCHEDULES_SKIP_NEXT = Route("scheduler.schedules.skip_next", schedules.SkipRequest, schedules.Schedule)
SCHEDULES_UNSKIP_NEXT = Route("scheduler.schedules.unskip_next", schedules.SkipRequest, schedules.Schedule)
SCHEDULES_PREVIEW = Route("scheduler.schedules.preview", weather.PreviewRequest, weather.SchedulePreview)
SCHEDULES_OF_GROUP = Route(
    "scheduler.schedules.of_group", schedules.SchedulesOfGroupRequest, schedules.SchedulesOfGroupReply
)
WEATHER_GET = Route("scheduler.weather.get", weather.WeatherRequest, weather.MowerWeather)
WEATHER_PUSH = Route("scheduler.weather.push", weather.PushWeatherRequest, weather.WeatherSourceReply)
HOLDS_PUT = Route("scheduler.holds.put", weather.PutOverrideRequest, weather.MowerOverrides)
RAIN_OVERRIDES_PUT = Route("scheduler.rain_overrides.put", weather.PutOverrideRequest, weather.MowerOverrides)
SKIPS_PUT = Route("scheduler.skips.put", schedules.SkipDateRequest, schedules.Schedule)
SKIPS_DELETE = Route("scheduler.skips.delete", schedules.SkipDateRequest, schedules.Schedule)
OWNERS_GONE = Route("scheduler.owners.gone", fleet.Asking, grants.OwnersGoneReply)
RUNS_LIST = Route("scheduler.runs.list", schedules.ListRunsRequest, schedules.ListRunsReply)

STATES_LATEST = Route("telemetry.states.latest", telemetry.LatestStatesRequest, telemetry.LatestStatesReply)
HISTORY_LIST = Route("telemetry.history.list", telemetry.HistoryRequest, telemetry.HistoryReply)
POSITIONS_LIST = Route("telemetry.positions.list", telemetry.HistoryRequest, telemetry.PositionsReply)
HEALTH_READ = Route("telemetry.health.read", device.MowerRequest, telemetry.MowerHealth)
BLADES_RESET = Route("telemetry.blades.reset", device.MowerRequest, telemetry.MowerHealth)
DAYS_LIST = Route("telemetry.days.list", telemetry.DaysRequest, telemetry.DaysReply)
MOWED_AREAS_LIST = Route("telemetry.areas.list", telemetry.DaysRequest, telemetry.MowedAreasReply)
JOBS_LIST = Route("telemetry.jobs.list", telemetry.JobsRequest, telemetry.JobsReply)
JOBS_TRACK = Route("telemetry.jobs.track", telemetry.TrackRequest, telemetry.TrackReply)
ZONES_LIST = Route("telemetry.zones.list", device.MowerRequest, telemetry.ZonesReply)
ZONES_PUT = Route("telemetry.zones.put", telemetry.PutZonesRequest, telemetry.ZonesReply)

FINDINGS_LIST = Route("notifications.findings.list", notifications.FindingsRequest, notifications.FindingsReply)
GEOFENCES_GET = Route("notifications.geofences.get", notifications.GeofenceRequest, notifications.GeofenceReply)
GEOFENCES_PUT = Route("notifications.geofences.put", notifications.PutGeofenceRequest, notifications.GeofenceReply)
GEOFENCES_DELETE = Route("notifications.geofences.delete", notifications.GeofenceRequest, Nothing)


def health_route(service: str) -> Route[Nothing, device.Health]:
    """Return the route that asks a service whether it can work."""
    return Route(f"{service}.health.get", Nothing, device.Health)
