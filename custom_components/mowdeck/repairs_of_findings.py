"""What the gateway says is wrong, as repairs with what to do about it; gone when it is over."""

import asyncio
from datetime import datetime, timedelta

from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.event import async_track_time_interval

from .client.errors import ClientError
from .client.finding import Finding
from .client.schedule import Schedule
from .const import DOMAIN, LOGGER
from .happenings import BRIDGE_CHANGED, NOTIFICATION, Happening
from .hub import Hub, MowDeckConfigEntry
from .left_schedules import OWNER_GONE, show_left_schedules, tells_of_people
from .mirrors import Kind

INTERVAL = timedelta(minutes=10)
"""For what no event tells: a service that does not work."""

CODES = frozenset(
    {
        "battery_low",
        "blade_worn",
        "bridge_bad_firmware",
        "bridge_deaf",
        "bridge_no_slots",
        "bridge_passive_only",
        "bridge_restarted",
        "bridge_stolen",
        "bridge_unreachable",
        "bridge_weak_wifi",
        "bridge_wrong_device",
        "bridge_wrong_key",
        "error",
        "left_geofence",
        "offline",
        "owner_gone",
        "resumed_by_itself",
        "service_not_ready",
        "stuck",
    }
)
OTHER = "other"

MENDED_AT_THE_BRIDGE = frozenset({"bridge_unreachable", "bridge_wrong_device", "bridge_wrong_key"})
"""A new address or key helps: the repair leads to where they are entered."""

TELLING = frozenset({NOTIFICATION, BRIDGE_CHANGED})
"""Events after which something else may be wrong."""


class Repairs:
    """The repairs of one gateway."""

    def __init__(self, hass: HomeAssistant, entry: MowDeckConfigEntry, hub: Hub) -> None:
        """Show what a gateway says."""
        self._hass = hass
        self._entry = entry
        self._hub = hub
        self._shown: set[str] = set()
        self._turn = asyncio.Lock()

    @callback
    def start(self) -> None:
        """Ask now, with each event of notifications and bridges, and now and then; take all away with the entry."""
        self._entry.async_on_unload(self._hub.on_happening(self._hear))
        self._entry.async_on_unload(self._hub.on_happening(self._hear_of_people))
        self._hub.schedules.on_any(self._hear_of_schedule)
        self._entry.async_on_unload(async_track_time_interval(self._hass, self._refresh, INTERVAL))
        self._entry.async_on_unload(self._clear)
        self._refresh()

    @callback
    def _hear(self, happening: Happening) -> None:
        if isinstance(happening, dict) and happening.get("type") in TELLING:
            self._refresh()

    @callback
    def _hear_of_people(self, happening: Happening) -> None:
        if tells_of_people(happening):
            self._refresh()

    @callback
    def _hear_of_schedule(self, _schedule: Schedule) -> None:
        """Look again when a schedule changes while some are left behind: it may be one of them."""
        if any(f"_{OWNER_GONE}:" in issue_id for issue_id in self._shown):
            self._refresh()

    @callback
    def _refresh(self, _now: datetime | None = None) -> None:
        self._entry.async_create_background_task(self._hass, self._ask(), "mowdeck findings")

    async def _ask(self) -> None:
        async with self._turn:
            try:
                findings = await self._hub.client.get_findings()
            except ClientError as error:
                # What is known stays: nobody said that it is over.
                LOGGER.debug("No findings of %s: %s", self._hub.client.address, error)
                return
            self._show(findings)

    @callback
    def _show(self, findings: tuple[Finding, ...]) -> None:
        fresh = {f"{self._entry.entry_id}_{finding.id}": finding for finding in findings}
        for issue_id in self._shown - fresh.keys():
            ir.async_delete_issue(self._hass, DOMAIN, issue_id)
        for issue_id, finding in fresh.items():
            if finding.code == OWNER_GONE:
                show_left_schedules(self._hass, self._entry, issue_id, finding)
                continue
            mower = self._hub.mowers.views.get(finding.mower_id or "")
            key = finding.code if finding.code in CODES else OTHER
            mended_there = key in MENDED_AT_THE_BRIDGE
            ir.async_create_issue(
                self._hass,
                DOMAIN,
                issue_id,
                data=self._place_of(finding.bridge_id) if mended_there else None,
                is_fixable=mended_there,
                severity=ir.IssueSeverity.ERROR if finding.severity == "alarm" else ir.IssueSeverity.WARNING,
                translation_key=f"finding_{key}",
                translation_placeholders={
                    "name": self._hub.info.name if mower is None else mower.name,
                    "service": finding.service or "",
                    "bridge": finding.bridge_name or "",
                    "detail": finding.detail,
                    "remedy": finding.remedy,
                },
            )
        self._shown = set(fresh)

    def _place_of(self, bridge_id: str | None) -> dict[str, str | int | float | None]:
        """Return where a bridge is changed."""
        return {"entry_id": self._entry.entry_id, "kind": Kind.BRIDGE, "subject_id": bridge_id}

    @callback
    def _clear(self) -> None:
        for issue_id in self._shown:
            ir.async_delete_issue(self._hass, DOMAIN, issue_id)
        self._shown = set()
