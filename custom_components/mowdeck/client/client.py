"""The requests of the API."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from .caller import SELF, Caller
from .command import Command, Order
from .finding import Finding
from .info import Info
from .mower_requests import MowerRequests
from .person import House
from .preview import Preview
from .pushed_weather import PushedWeather
from .run import Run, RunPage
from .schedule import Schedule, ScheduleDraft
from .setup_requests import SetupRequests
from .site import Site


class Client(MowerRequests, SetupRequests):
    """What a gateway can be asked. Every method raises a `ClientError` when it has no good answer."""

    async def get_info(self) -> Info:
        """Return what the gateway is; raises `VersionError` when it does not speak this client's version."""
        info = Info.read(await self._ask("GET", "info"))
        info.check_version()
        return info

    async def order(self, mower_id: str, order: Order, *, key: str, caller: Caller) -> Command:
        """Order something of a mower; the same key never orders twice."""
        return Command.read(await self._ask("POST", f"mowers/{mower_id}/commands", order.json(), key, caller))

    async def create_schedule(self, draft: ScheduleDraft, *, key: str, caller: Caller) -> Schedule:
        """Make a schedule; the same key never makes two."""
        return Schedule.read(await self._ask("POST", "schedules", draft.json(), key, caller))

    async def update_schedule(self, schedule_id: str, changes: Mapping[str, Any], *, caller: Caller) -> Schedule:
        """Change the named fields of a schedule."""
        return Schedule.read(await self._ask("PATCH", f"schedules/{schedule_id}", changes, caller=caller))

    async def delete_schedule(self, schedule_id: str, *, caller: Caller) -> None:
        """Remove a schedule; its runs are kept."""
        await self._request("DELETE", f"schedules/{schedule_id}", caller=caller)

    async def run_schedule_now(self, schedule_id: str, *, key: str, caller: Caller) -> tuple[Run, ...]:
        """Run a schedule at once, whatever the rain rule says; one run per mower."""
        reading = await self._ask("POST", f"schedules/{schedule_id}/run-now", {}, key, caller)
        return reading.objects("items", Run.read)

    async def skip(self, schedule_id: str, occurrence: datetime, *, caller: Caller) -> Schedule:
        """Leave one occurrence out, named by the instant at which it is due."""
        body = {"occurrence": occurrence.isoformat()}
        return Schedule.read(await self._ask("POST", f"schedules/{schedule_id}/skip-next", body, caller=caller))

    async def unskip(self, schedule_id: str, occurrence: datetime, *, caller: Caller) -> Schedule:
        """Take a skip back."""
        body = {"occurrence": occurrence.isoformat()}
        return Schedule.read(await self._ask("DELETE", f"schedules/{schedule_id}/skip-next", body, caller=caller))

    async def preview(self, schedule_id: str, *, caller: Caller = SELF) -> Preview:
        """Return the occurrences of the next 14 days, each with what the rain rule says of it."""
        body = {"schedule_id": schedule_id}
        return Preview.read(await self._ask("POST", "schedules/preview", body, caller=caller))

    async def get_runs(
        self,
        *,
        mower_id: str | None = None,
        schedule_id: str | None = None,
        cursor: str | None = None,
        limit: int = 100,
        caller: Caller = SELF,
    ) -> RunPage:
        """Return a page of runs, newest first."""
        given = {"mower_id": mower_id, "schedule_id": schedule_id, "cursor": cursor, "limit": str(limit)}
        query = {name: value for name, value in given.items() if value is not None}
        reading = await self._ask("GET", "runs", caller=caller, query=query)
        return RunPage(items=reading.objects("items", Run.read), next=reading.text_or_none("next"))

    async def put_house(self, house: House, revision: int) -> None:
        """Tell who lives here and what each may do; a revision that is not newer is refused."""
        await self._request("PUT", f"principals/{house.instance_id}", house.json(revision))

    async def get_findings(self) -> tuple[Finding, ...]:
        """Return what is wrong now."""
        return (await self._ask("GET", "findings")).objects("items", Finding.read)

    async def update_site(self, site_id: str, changes: Mapping[str, Any], *, caller: Caller = SELF) -> Site:
        """Change the named fields of a site."""
        return Site.read(await self._ask("PATCH", f"sites/{site_id}", changes, caller=caller))

    async def push_weather(self, site_id: str, weather: PushedWeather, *, caller: Caller = SELF) -> None:
        """Tell the weather at a site."""
        await self._request("PUT", f"weather/sources/{site_id}", weather.json(), caller=caller)
