"""Switches of a site's rain rule."""

from typing import override

from .asked import AskedSwitch
from .client.site import Site
from .entity import SiteEntity
from .hub import Hub

RAIN_SWITCHES = ("enabled", "run_when_unknown", "pause_running_jobs_on_rain", "resume_when_dry")


class SiteSwitch(SiteEntity, AskedSwitch[Site]):
    """One switch of a site."""

    def __init__(self, hub: Hub, site_id: str, key: str) -> None:
        """Show a site's switch."""
        SiteEntity.__init__(self, hub, site_id, key)


class RainSwitch(SiteSwitch):
    """One truth value of a site's rain rule; schedules that say nothing themselves take it."""

    def __init__(self, hub: Hub, site_id: str, setting: str) -> None:
        """Show a site's."""
        super().__init__(hub, site_id, f"rain_{setting}")
        self._setting = setting

    @property
    @override
    def _confirmed(self) -> bool:
        return bool(self._view.rain.get(self._setting))

    @override
    async def _send(self, *, on: bool) -> None:
        await self._change({"rain": {self._setting: on}})
