"""A bus that was away: readers stay connected, are told everything anew, and then every change again."""

import asyncio

import pytest

from edge_gateway.embedded.nats_server import NatsServer
from tests.background_loop import BackgroundLoop
from tests.eventually import eventually
from tests.service.api.house import ApiHouse
from tests.service.api.listening import content, listening

pytestmark = pytest.mark.timeout(120)


async def metric(house: ApiHouse, name: str) -> float:
    async with house.session.get(f"{house.url}/metrics") as response:
        lines = (await response.text()).splitlines()
    return sum(float(line.split()[-1]) for line in lines if line.split(" ")[0] == name)


async def test_after_a_gap_readers_get_a_fresh_snapshot_and_then_changes(
    house: ApiHouse, nats_server: NatsServer, server_loop: BackgroundLoop
) -> None:
    async with listening(house) as listener:
        _, before = await listener.greeting()
        assert before is not None
        await house.tell_state(house.state(battery_percent=11))
        change = await listener.next()

        await asyncio.to_thread(lambda: server_loop.run(nats_server.stop()))

        async def noticed() -> bool:
            return await metric(house, "mowdeck_api_bus_ready") == 0.0

        await eventually(noticed)
        async with house.session.get(f"{house.url}/readyz") as response:
            ready = await response.json()
        assert (response.status, ready["services"]["bus"]) == (503, False)
        assert (await house.ask("GET", "/mowers")).status == 503

        await asyncio.to_thread(lambda: server_loop.run(nats_server.start()))
        fresh = await listener.next(seconds=30)
        while fresh["type"] == "change":
            # What the watch over the services found before the bus was found to be back.
            fresh = await listener.next(seconds=30)
        assert fresh["type"] == "snapshot"
        assert fresh["cursor"].partition("-")[0] != before["cursor"].partition("-")[0]
        assert fresh["mowers"][0]["battery_percent"] == 11

        await house.tell_state(house.state(battery_percent=12))
        async with asyncio.timeout(20):
            while content(told := await listener.until("mower"))["mower"]["battery_percent"] != 12:
                pass

    async with listening(house, change["cursor"]) as listener:
        assert not (await listener.greeting())[0]["resumed"]
    async with listening(house, told["cursor"]) as listener:
        assert (await listener.greeting())[0]["resumed"]
