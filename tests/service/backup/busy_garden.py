"""A running gateway in which states arrive all the time, and a look into its database."""

import asyncio
import itertools
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import aiohttp
import asyncpg

from edge_gateway.backup import counting
from edge_gateway.backup.manifest import Table
from edge_gateway.bus.jetstream import JetStreamBus
from edge_gateway.contracts import subjects
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.contracts.envelope import wrap
from edge_gateway.contracts.identifiers import state_event_id
from edge_gateway.contracts.mower import Activity, MowerState, Position
from tests.eventually import eventually
from tests.service.app.program import Program

PLAN = {
    "name": "Mornings",
    "recurrence": {"kind": "weekly", "days": ["mon"], "at": "09:00"},
    "duration_minutes": 60,
}


async def request(program: Program, method: str, path: str, body: object = None) -> dict[str, object]:
    """Ask the program's API as the owner."""
    headers = {
        "Authorization": f"Bearer {program.token}",
        "X-MowDeck-Principal": "user:owner",
        "Idempotency-Key": "of-the-test",
    }
    port = (program.folder / "port").read_text().strip()
    url = f"http://127.0.0.1:{port}/api/v1/{path}"
    async with (
        aiohttp.ClientSession(headers=headers) as session,
        session.request(method, url, json=body) as answer,
    ):
        content: dict[str, object] = await answer.json()
        assert answer.ok, content
        return content


async def make_plan(program: Program) -> str:
    """Make a plan for the first mower and return the mower."""

    async def look() -> str | None:
        mowers = (await request(program, "GET", "mowers"))["items"]
        assert isinstance(mowers, list)
        return mowers[0]["id"] if mowers else None

    mower = await eventually(look, seconds=30)
    await request(program, "POST", "schedules", PLAN | {"target": {"mower_id": mower}})
    return mower


@asynccontextmanager
async def states_arriving(program: Program, mower: str, *, per_second: int) -> AsyncIterator[None]:
    """Report on a mower so often while the block runs."""
    runtime = (program.folder / "runtime").readlink() / "nats"
    port = json.loads(next(runtime.glob("*.ports")).read_text())["nats"][0].rpartition(":")[2]
    token = (program.folder / "nats_token").read_text().strip()
    bus = await JetStreamBus.connect(f"nats://{token}@127.0.0.1:{port}", clock=SystemClock(), instance_id="of-the-test")

    async def report() -> None:
        began = asyncio.get_running_loop().time()
        for number in itertools.count(1):
            now = datetime.now(UTC)
            state = MowerState(
                mower_id=mower,
                account_id="home",
                observed_at=now,
                activity=Activity.MOWING,
                battery_percent=80,
                position=Position(latitude=51.5 + number / 1e6, longitude=0.0),
            )
            envelope = wrap(
                state,
                id=state_event_id(mower, now),
                type=subjects.STATE_TYPE,
                occurred_at=now,
                account_id="home",
                subject_id=mower,
            )
            await bus.publish(subjects.state_subject(mower), envelope)
            await asyncio.sleep(max(0.0, began + number / per_second - asyncio.get_running_loop().time()))

    reporting = asyncio.create_task(report())
    try:
        yield
        assert not reporting.done(), "it reported to the end"
    finally:
        reporting.cancel()
        await asyncio.gather(reporting, return_exceptions=True)
        await bus.close()


async def tables(folder: Path) -> dict[str, Table]:
    """Return what the database of a running gateway holds."""
    host = (folder / "runtime").readlink() / "postgres"
    connection = await asyncpg.connect(
        f"postgresql://mowdeck@/mowdeck?host={host}", server_settings={"timezone": "UTC"}
    )
    try:
        return await counting.count(connection)
    finally:
        await connection.close()
