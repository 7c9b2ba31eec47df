"""The whole program with a simulated mower: out of the rain and out again, and home before the quiet hours."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.databases import Databases
from tests.eventually import eventually
from tests.service.api.whole_house import WholeHouse, open_whole_house

pytestmark = pytest.mark.timeout(240)

PATIENCE_SECONDS = 90.0
SECOND = timedelta(seconds=1)
SHORTLY_BEFORE_A_MINUTE = 48
"""The program's clock shows this second of a minute when it is started."""


@pytest.fixture
def offset() -> timedelta:
    """Return how far the program's clock is from the machine's: its minute ends when everything is up."""
    return timedelta(seconds=SHORTLY_BEFORE_A_MINUTE - datetime.now(UTC).second)


@pytest.fixture
async def whole(
    databases: Databases, nats_url: str, tmp_path: Path, offset: timedelta, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[WholeHouse]:
    """Return the API of a whole program with one simulated mower that lives fifty times as fast as others."""
    with databases.lent("fleet", "scheduler", "telemetry", "notifications", "device_gateway") as url:
        for name, value in {
            "DATABASE_URL": url,
            "NATS_URL": nats_url,
            "API_PORT": "0",
            "SIM_MOWERS": "1",
            "SIM_SPEED": "50",
            "CLOCK_OFFSET_SECONDS": str(offset.total_seconds()),
            "SCHEDULER_WEATHER_PROVIDER": "home_assistant",
            "SCHEDULER_TICK_SECONDS": "1",
        }.items():
            monkeypatch.setenv(f"MOWDECK_{name}", value)
        async with open_whole_house(tmp_path / "data") as house:
            yield house


class Afternoon:
    """One mower, one plan, and the weather over both."""

    def __init__(self, whole: WholeHouse, offset: timedelta, mower_id: str) -> None:
        """Look at this mower."""
        self.whole = whole
        self._offset = offset
        self.mower_id = mower_id

    def now(self) -> datetime:
        """Return what the program's clock shows."""
        return datetime.now(UTC) + self._offset

    async def rain(self, *, raining: bool) -> None:
        """Have a rain sensor feel rain, or feel none."""
        sensor = {"raining": raining, "observed_at": self.now().isoformat()}
        status, answer = await self.whole.ask("PUT", "/weather/sources/home", {"rain_sensor": sensor})
        assert status == 200, answer

    async def plan(self) -> str:
        """Make a plan for the next minute that is at least two seconds away; return its id."""
        first = (self.now() + 2 * SECOND).replace(second=0, microsecond=0) + timedelta(minutes=1)
        draft = {
            "name": "Once",
            "target": {"mower_id": self.mower_id},
            "recurrence": {"kind": "once", "day": first.date().isoformat(), "at": f"{first:%H:%M}"},
            "duration_minutes": 240,
            "rain": {"resume_when_dry": True, "cooldown_hours": 0, "lookahead_hours": 0},
        }
        status, schedule = await self.whole.ask("POST", "/schedules", draft, key="plan")
        assert status == 201, schedule
        return str(schedule["id"])

    async def until(self, activity: str, *, job: str | None = None) -> dict[str, Any]:
        """Wait until the mower does something, on a job; return how it is then."""

        async def look() -> dict[str, Any] | None:
            _, mower = await self.whole.ask("GET", f"/mowers/{self.mower_id}")
            there = mower["activity"] == activity and mower["job"] is not None
            found: dict[str, Any] = mower
            return found if there and job in (None, mower["job"]["id"]) else None

        return await eventually(look, seconds=PATIENCE_SECONDS)

    async def until_run(self, **wanted: Any) -> dict[str, Any]:  # noqa: ANN401  # any field
        """Wait until the run has these fields; return it."""

        async def look() -> dict[str, Any] | None:
            _, page = await self.whole.ask("GET", "/runs")
            run: dict[str, Any]
            for run in page["items"]:
                seen = run | {"sent_home": (run["numbers"].get("sent_home") or {}).get("cause")}
                if not run["run_now"] and all(seen[name] == value for name, value in wanted.items()):
                    return run
            return None

        return await eventually(look, seconds=PATIENCE_SECONDS)


@pytest.fixture
async def afternoon(whole: WholeHouse, offset: timedelta) -> Afternoon:
    """Return a dry afternoon."""
    [mower] = await whole.mowers(1)
    afternoon = Afternoon(whole, offset, mower["id"])
    await afternoon.rain(raining=False)
    return afternoon


async def test_parked_for_rain_out_again_when_dry_and_home_before_the_quiet_hours(afternoon: Afternoon) -> None:
    whole = afternoon.whole
    schedule_id = await afternoon.plan()
    started = await afternoon.until_run(outcome="started", final=True)
    assert started["schedule_id"] == schedule_id
    job = (await afternoon.until("mowing"))["job"]
    assert job["command_id"] == started["command_id"]

    await afternoon.rain(raining=True)
    parked = await afternoon.until("docked", job=job["id"])
    assert parked["job"]["resumable"]
    assert "it was sent home for rain" in (await afternoon.until_run(sent_home="rain"))["sentence"]

    await afternoon.rain(raining=False)
    await afternoon.until("mowing", job=job["id"])

    begin = afternoon.now() + timedelta(minutes=10)
    night = {"begin": {"at": f"{begin:%H:%M}"}, "end": {"at": f"{begin + timedelta(hours=8):%H:%M}"}}
    status, site = await whole.ask("PATCH", "/sites/home", {"quiet_hours": night})
    assert (status, site["time_zone"]) == (200, "UTC")
    home = await afternoon.until("docked", job=job["id"])
    assert datetime.fromisoformat(home["observed_at"]) < begin.replace(second=0, microsecond=0)
    await afternoon.until_run(sent_home="quiet_hours", outcome="started", command_id=started["command_id"])

    # Nobody is sent out in them by a button either, and the answer says why.
    status, page = await whole.ask("POST", f"/schedules/{schedule_id}/run-now", key="now")
    [run] = page["items"]
    assert (status, run["outcome"], run["reason"], run["final"]) == (202, "skipped_window", "quiet_hours", True)
    assert run["sentence"].startswith(f"skipped: quiet hours from {begin:%H:%M} to ")

    _, runs = await whole.ask("GET", f"/runs?schedule_id={schedule_id}")
    assert [run["outcome"] for run in runs["items"]] == ["skipped_window", "started"]
    assert (await afternoon.until("docked", job=job["id"]))["job"]["resumable"]
