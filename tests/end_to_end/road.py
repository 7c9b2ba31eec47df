"""The whole road: an emulated cloud with a mower, the gateway, a real Home Assistant that shows the mower."""

import contextlib
import socket
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from scripts.running.gateway import Gateway
from scripts.running.home_assistant import HomeAssistant
from scripts.set_up.environments import ENVIRONMENTS
from scripts.set_up.places import ROOT
from tests.end_to_end.emulated_cloud import EmulatedCloud
from tests.eventually import eventually

_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_SHORTEST_NOTICE = timedelta(seconds=5)
"""A plan's minute lies at least so far ahead that it can be stored before it begins."""


class Road:
    """The three processes, and what a person would do and see."""

    def __init__(self, cloud: EmulatedCloud, gateway: Gateway, home_assistant: HomeAssistant) -> None:
        """Keep the parts; `mower_id` and `entity_id` are known once the mower is there."""
        self.cloud = cloud
        self.gateway = gateway
        self.home_assistant = home_assistant
        self.mower_id = ""
        self.entity_id = ""

    async def add_account(self) -> None:
        """Give the gateway the vendor account, and wait for its mower and the mower's map."""
        await self.gateway.request(
            "POST",
            "/vendor-accounts",
            {"provider": "mammotion", "username": self.cloud.username, "password": self.cloud.password},
            key="account",
        )

        async def found() -> dict[str, Any] | None:
            mowers = (await self.gateway.request("GET", "/mowers"))["items"]
            return next((each for each in mowers if each["available"] and each["areas"]), None)

        self.mower_id = (await eventually(found, seconds=30))["id"]

    async def add_integration(self) -> dict[str, Any]:
        """Add MowDeck in Home Assistant by its configuration flow, and wait for the mower's entity."""
        result = await self.home_assistant.add_gateway(
            host="127.0.0.1", port=self.gateway.port, token=self.gateway.token
        )

        async def entity() -> str | None:
            entries = await self.registry()
            return next((each["entity_id"] for each in entries if each["unique_id"] == self.mower_id), None)

        self.entity_id = await eventually(entity, seconds=30)
        return result

    async def registry(self) -> list[dict[str, Any]]:
        """Return the entity registry's entries of MowDeck."""
        async with self.home_assistant.websocket() as websocket:
            entries: list[dict[str, Any]] = await websocket.call("config/entity_registry/list")
        return [each for each in entries if each["platform"] == "mowdeck"]

    async def make_schedule(self, *, notice: timedelta = _SHORTEST_NOTICE) -> tuple[str, datetime]:
        """Make a weekly schedule by the action, due at the next full minute; return its id and when it is due."""
        zone = ZoneInfo((await self.gateway.request("GET", "/sites"))["items"][0]["time_zone"])
        due = (datetime.now(UTC) + notice).replace(second=0, microsecond=0) + timedelta(minutes=1)
        local = due.astimezone(zone)
        answer = await self.home_assistant.act(
            "mowdeck.create_schedule",
            {
                "name": "Test plan",
                "days": [_WEEKDAYS[local.weekday()]],
                "at": local.strftime("%H:%M"),
                "duration_minutes": 30,
            },
            entity_id=self.entity_id,
            answers=True,
        )
        return answer["schedule"]["id"], due

    async def runs(self, schedule_id: str) -> list[dict[str, Any]]:
        """Return the runs of a schedule, newest first."""
        items: list[dict[str, Any]] = (await self.gateway.request("GET", f"/schedules/{schedule_id}/runs"))["items"]
        return items

    async def run_with(self, schedule_id: str, field: str, *, seconds: float) -> dict[str, Any]:
        """Wait until the schedule's one run has a field, and return the run."""

        async def look() -> dict[str, Any] | None:
            runs = await self.runs(schedule_id)
            return next((run for run in runs if run[field]), None)

        return await eventually(look, seconds=seconds)

    async def wait_until_heard(self, *, since: datetime) -> None:
        """Wait until the mower has reported something after a moment."""

        async def heard() -> bool:
            mower = await self.gateway.request("GET", f"/mowers/{self.mower_id}")
            return mower["observed_at"] is not None and datetime.fromisoformat(mower["observed_at"]) > since

        await eventually(heard, seconds=60)

    async def positions(self, since: datetime) -> list[dict[str, Any]]:
        """Return every stored position since a moment, oldest first."""
        items: list[dict[str, Any]] = []
        query = f"since={_text(since)}&until={_text(datetime.now(UTC) + timedelta(minutes=1))}&limit=1000"
        path = f"/mowers/{self.mower_id}/positions?{query}"
        page = await self.gateway.request("GET", path)
        items += page["items"]
        while page["next"]:
            page = await self.gateway.request("GET", f"{path}&cursor={page['next']}")
            items += page["items"]
        return items


@contextlib.asynccontextmanager
async def open_road(
    environment: str,
    folder: Path,
    *,
    gateway_folder: Path,
    home_assistant_of: Callable[[EmulatedCloud], HomeAssistant] | None = None,
) -> AsyncIterator[Road]:
    """Start the three, with the account and the integration in place; stop them in the end.

    `home_assistant_of` makes a Home Assistant that is near the cloud's mowers.
    """
    cloud = EmulatedCloud(folder / "cloud.log.txt", speed=20, air=home_assistant_of is not None)
    if home_assistant_of is None:
        home_assistant = HomeAssistant(
            python=ENVIRONMENTS[environment].python,
            folder=folder / "home-assistant",
            integration=ROOT / "custom_components" / "mowdeck",
            port=free_port(),
        )
    else:
        home_assistant = home_assistant_of(cloud)
    async with contextlib.AsyncExitStack() as stack:
        await stack.enter_async_context(cloud)
        gateway = Gateway(
            python=ENVIRONMENTS["gateway"].python,
            root=ROOT,
            data_folder=gateway_folder,
            port=free_port(),
            variables={
                "MOWDECK_SIM_MOWERS": "0",
                "MOWDECK_SCHEDULER_WEATHER_PROVIDER": "static",
                "MOWDECK_SCHEDULER_TICK_SECONDS": "1",
                "MOWDECK_MAMMOTION_CLOUD_URL": cloud.url,
                "MOWDECK_MAMMOTION_API_URL": cloud.url,
                "MOWDECK_LOG_LEVEL": "debug",
            },
        )
        await stack.enter_async_context(gateway)
        await stack.enter_async_context(home_assistant)
        await home_assistant.onboard(name="Owner", username="owner", password="owner-of-the-lawn")  # noqa: S106  # of this test only
        road = Road(cloud, gateway, home_assistant)
        await road.add_account()
        yield road


def free_port() -> int:
    """Return a port that nobody listens on."""
    with contextlib.closing(socket.socket()) as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def _text(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
