"""The whole program while its clock leaps a day ahead and back: all stays at work, no firing comes twice or is lost.

The clock is that of our code; the servers' own clocks are the machine's and stay where they are.
"""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from edge_gateway.backup import folders, manifest
from edge_gateway.contracts.clock import SystemClock
from tests.eventually import eventually
from tests.service.api.whole_house import WholeHouse, open_whole_house

DAY = timedelta(days=1)
TO_DUE = timedelta(hours=2)
STAMP = "%Y-%m-%dT%H:%M:%SZ"


class LeapingHouse:
    """A house whose clock can be moved, with a plan for one mower and orders for the other."""

    def __init__(self, house: WholeHouse, clock: SystemClock) -> None:
        """Take a house that is ready."""
        self._house = house
        self._clock = clock
        self._orders = 0
        self.schedule = ""
        self.worker = ""

    async def settle(self) -> datetime:
        """Make a daily plan that is due in two hours, and return when."""
        planned, worker = await self._house.mowers(2)
        self.worker = worker["id"]
        due = (self._clock.now() + TO_DUE).replace(second=0, microsecond=0)
        plan = {
            "name": "Daily",
            "target": {"mower_id": planned["id"]},
            "recurrence": {"kind": "every_n_days", "interval": 1, "anchor": f"{due:%Y-%m-%d}", "at": f"{due:%H:%M}"},
            "duration_minutes": 60,
            "time_zone": "UTC",
            "rain": {"enabled": False},
        }
        status, made = await self._house.ask("POST", "/schedules", plan, key="plan")
        assert status == 201, made
        self.schedule = made["id"]
        assert await self.next_run() == due
        return due

    async def leap(self, offset: timedelta) -> None:
        """Move the clock, and see that orders are carried out, states stored and everything well."""
        self._clock.offset = offset
        await self._carries_out_an_order()
        await self._stores_states()
        assert await self._house.ready()
        _, findings = await self._house.ask("GET", "/findings")
        assert [finding for finding in findings["items"] if finding["code"] == "service_not_ready"] == []

    async def next_run(self) -> datetime:
        """Return when the plan is due next."""
        _, plan = await self._house.ask("GET", f"/schedules/{self.schedule}")
        return datetime.fromisoformat(plan["next_run_at"])

    async def runs(self) -> list[dict[str, Any]]:
        """Return the records of the plan's firings, the oldest first."""
        _, page = await self._house.ask("GET", f"/schedules/{self.schedule}/runs")
        return sorted(page["items"], key=lambda run: str(run["occurrence_at"]))

    async def until_next_run(self, expected: datetime) -> None:
        """Wait until the Scheduler has seen the leap."""

        async def look() -> bool:
            return await self.next_run() == expected

        await eventually(look, seconds=30)

    async def _carries_out_an_order(self) -> None:
        self._orders += 1
        kind = "start_mow" if self._orders % 2 else "return_to_dock"
        path = f"/mowers/{self.worker}/commands"
        status, command = await self._house.ask("POST", path, {"kind": kind}, key=f"order-{self._orders}")
        assert status == 202, command

        async def confirmed() -> bool:
            _, now = await self._house.ask("GET", f"/commands/{command['id']}")
            assert now["status"] not in {"failed", "expired"}, now
            return bool(now["status"] == "confirmed")

        await eventually(confirmed, seconds=30)

    async def _stores_states(self) -> None:
        near = timedelta(minutes=5)

        async def look() -> bool:
            now = self._clock.now()
            span = f"since={now - near:{STAMP}}&until={now + near:{STAMP}}"
            _, page = await self._house.ask("GET", f"/mowers/{self.worker}/history?{span}")
            return bool(page["items"])

        await eventually(look, seconds=30)


@pytest.mark.timeout(180)
async def test_a_day_ahead_and_back_fires_nothing_twice_and_leaves_all_at_work(
    postgres_url: str, nats_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {
        "DATABASE_URL": postgres_url,
        "NATS_URL": nats_url,
        "API_PORT": "0",
        "SIM_MOWERS": "2",
        "SIM_SPEED": "20",
        "SCHEDULER_WEATHER_PROVIDER": "static",
        "SCHEDULER_TICK_SECONDS": "1",
        "BRIDGES_DISCOVER": "false",
    }.items():
        monkeypatch.setenv(f"MOWDECK_{name}", value)
    clock = SystemClock()
    async with open_whole_house(tmp_path / "data", clock=clock) as whole:
        house = LeapingHouse(whole, clock)
        due = await house.settle()
        # Wrong for a while: what was leapt over is recorded with its reason, and still comes at its real time.
        await house.leap(DAY)
        await house.until_next_run(due + DAY)
        (missed,) = await house.runs()
        assert (missed["outcome"], missed["reason"]) == ("skipped_window", "window_closed")
        await house.leap(timedelta())
        await house.until_next_run(due)

        await house.leap(TO_DUE)

        async def started() -> list[dict[str, Any]]:
            return [run for run in await house.runs() if run["outcome"] == "started"]

        (run,) = await eventually(started, seconds=30)
        assert datetime.fromisoformat(run["occurrence_at"]) == due
        # Back before it, and there again: it has been.
        await house.leap(TO_DUE - DAY)
        await house.leap(TO_DUE)
        await house.until_next_run(due + DAY)
        after = await house.runs()
        assert [one["id"] for one in after if one["outcome"] == "started"] == [run["id"]]
        assert {datetime.fromisoformat(one["occurrence_at"]) for one in after} <= {due - DAY, due}


def test_the_backup_made_last_is_the_newest_although_the_clock_went_back(tmp_path: Path) -> None:
    (tmp_path / "backup").mkdir()
    now = SystemClock().now()
    made = []
    for at in (now + DAY, now, now - DAY, now + 2 * DAY):
        made.append(folders.make_new(tmp_path, at))
        (made[-1] / manifest.FILE_NAME).touch()
        assert folders.newest(tmp_path) == made[-1]
    assert len(set(made)) == 4
