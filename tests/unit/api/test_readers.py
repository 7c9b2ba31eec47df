"""Nobody waits for a reader."""

import asyncio

import pytest
from aiohttp import WSCloseCode

from edge_gateway.api.events.readers import Reader, Readers


async def test_messages_come_in_order_after_the_first_ones() -> None:
    reader = Reader(10, [b"snapshot"])
    reader.offer(b"1")
    reader.offer(b"2")
    assert [await reader.next() for _ in range(3)] == [b"snapshot", b"1", b"2"]


async def test_a_reader_that_waits_is_woken() -> None:
    reader = Reader(10, [])
    waiting = asyncio.create_task(reader.next())
    await asyncio.sleep(0)
    reader.offer(b"1")
    assert await asyncio.wait_for(waiting, 1) == b"1"


async def test_states_wait_for_each_other_after_some_were_sent_and_nothing_else_does() -> None:
    reader = Reader(10, [], pause_seconds=30.0)
    reader.offer(b"1", patient=True)
    assert await asyncio.wait_for(reader.next(), 1) == b"1"
    waiting = asyncio.create_task(reader.next())
    await asyncio.sleep(0)
    for message in (b"2", b"3"):
        reader.offer(message, patient=True)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert not waiting.done()
    reader.offer(b"an outcome")
    assert await asyncio.wait_for(waiting, 1) == b"2"
    assert [await asyncio.wait_for(reader.next(), 1) for _ in range(2)] == [b"3", b"an outcome"]


async def test_states_do_not_wait_longer_than_the_pause() -> None:
    reader = Reader(10, [], pause_seconds=0.01)
    for message in (b"1", b"2"):
        reader.offer(message, patient=True)
        assert await asyncio.wait_for(reader.next(), 10) == message


async def test_a_slow_reader_is_dropped_and_others_go_on() -> None:
    readers = Readers()
    slow, quick = Reader(2, []), Reader(10, [])
    readers.add(slow)
    readers.add(quick)
    for number in range(3):
        readers.offer(str(number).encode())
    assert slow.dropped
    assert (slow.close_code, slow.close_reason) == (WSCloseCode.TRY_AGAIN_LATER, "too_slow")
    await asyncio.wait_for(slow.wait_dropped(), 1)
    assert not quick.dropped
    assert [await quick.next() for _ in range(3)] == [b"0", b"1", b"2"]


async def test_a_dropped_reader_keeps_its_first_reason_and_gets_nothing_more() -> None:
    reader = Reader(1, [])
    reader.drop(WSCloseCode.GOING_AWAY, "stopping")
    reader.drop(WSCloseCode.POLICY_VIOLATION, "readers_say_nothing")
    reader.offer(b"1")
    assert (reader.close_code, reader.close_reason) == (WSCloseCode.GOING_AWAY, "stopping")
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(reader.next(), 0.01)


def test_readers_come_and_go() -> None:
    readers = Readers()
    reader = Reader(1, [])
    readers.add(reader)
    assert len(readers) == 1
    readers.remove(reader)
    readers.remove(reader)
    readers.offer(b"1")
    assert len(readers) == 0
    assert not reader.dropped
