"""The emulated broker where amqtt's is not like others."""

import asyncio

import aiomqtt

from tests.emulators.mammotion.broker import CloudBroker

TOPIC = "/sys/key/mower/app/down/thing/status"


async def test_each_of_two_connections_of_one_client_hears_what_it_subscribed() -> None:
    broker = CloudBroker()
    await broker.start()

    async def hear() -> bytes:
        async with aiomqtt.Client("127.0.0.1", port=broker.port, identifier="client-1") as client:
            await client.subscribe(TOPIC)
            subscribed.release()
            return bytes((await anext(client.messages)).payload)

    subscribed = asyncio.Semaphore(0)
    async with asyncio.timeout(10), asyncio.TaskGroup() as group:
        heard = [group.create_task(hear()) for _ in range(2)]
        for _ in heard:
            await subscribed.acquire()
        await broker.publish(TOPIC, b"here")
    assert [each.result() for each in heard] == [b"here", b"here"]
    await broker.stop()
