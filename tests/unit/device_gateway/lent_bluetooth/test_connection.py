"""What becomes of a write over lent Bluetooth, and of words that are missing: what certainly did not leave is known."""

import asyncio

import pytest
from bleak.exc import BleakError

from edge_gateway.contracts.bluetooth_lending import (
    WRITE_CREDITS,
    Acknowledged,
    Connect,
    Connected,
    Disconnect,
    Disconnected,
    Notified,
    Told,
    Write,
)
from edge_gateway.device_gateway.lent_bluetooth.connection import LentConnection
from edge_gateway.device_gateway.lent_bluetooth.errors import NotConnectedError, NotSentError
from edge_gateway.device_gateway.lent_bluetooth.outbox import Outbox

LONG, SHORT = 20.0, 0.05


class House:
    """A connection that is made."""

    def __init__(self) -> None:
        """Hold one that nobody has asked for yet."""
        self.outbox = Outbox()
        self.connection = LentConnection(self.outbox, address="C0", source="AA")
        self.lost = 0

    async def fetched(self) -> tuple[Told, ...]:
        """Fetch what waits, when something does."""
        await self.outbox.wait(seconds=LONG)
        return self.outbox.take(64)

    async def connect(self) -> None:
        """Have it made."""
        opening = asyncio.create_task(self.connection.open(seconds=LONG))
        (wish,) = await self.fetched()
        assert isinstance(wish, Connect)
        assert 0 < wish.budget_ms <= LONG * 1000
        self.connection.connected(Connected(id=wish.id, source="AA", mtu=247, services=()))
        await opening
        self.connection.lost = self._lost

    def write(self, seconds: float = LONG) -> asyncio.Task[None]:
        """Write something."""
        return asyncio.create_task(self.connection.write("ff01", b"x", response=True, seconds=seconds))

    def acknowledge(self, number: int, code: str | None = None) -> None:
        """Say what became of it."""
        self.connection.acknowledged(Acknowledged(id=self.connection.id, seq=number, code=code))

    def _lost(self) -> None:
        self.lost += 1


@pytest.fixture
async def house() -> House:
    """Return it."""
    house = House()
    await house.connect()
    return house


async def test_what_nobody_fetches_in_time_certainly_did_not_leave(house: House) -> None:
    with pytest.raises(NotSentError):
        await house.write(SHORT)
    # Frames are numbered: after a missing one none is taken, so the connection is over.
    assert house.outbox.take(64) == (Disconnect(id=house.connection.id),)
    assert (house.connection.up, house.lost) == (False, 1)
    with pytest.raises(NotSentError):
        await house.write()


@pytest.mark.parametrize(("code", "certain"), [("spent", True), ("failed", False)])
async def test_what_home_assistant_says_of_a_write_is_believed(house: House, code: str, certain: bool) -> None:  # noqa: FBT001  # a case
    writing = house.write()
    (write,) = await house.fetched()
    assert isinstance(write, Write)
    house.acknowledge(write.seq, code)
    with pytest.raises(BleakError) as caught:
        await writing
    assert isinstance(caught.value, NotSentError) is certain
    assert house.lost == 1


@pytest.mark.parametrize("fetched", [True, False])
async def test_a_session_that_is_lost_takes_with_it_what_was_fetched_alone(house: House, fetched: bool) -> None:  # noqa: FBT001  # a case
    writing = house.write()
    await house.outbox.wait(seconds=LONG)
    if fetched:
        house.outbox.take(64)
    house.connection.session_lost()
    with pytest.raises(BleakError) as caught:
        await writing
    assert isinstance(caught.value, NotSentError) is not fetched
    assert house.outbox.take(64) == ()


async def test_no_more_than_the_credits_are_under_way(house: House) -> None:
    writings = [house.write() for _ in range(WRITE_CREDITS + 2)]
    first = await house.fetched()
    assert [write.seq for write in first if isinstance(write, Write)] == list(range(1, WRITE_CREDITS + 1))
    house.acknowledge(1)
    (ninth,) = await house.fetched()
    assert isinstance(ninth, Write)
    for number in range(2, WRITE_CREDITS + 2):
        house.acknowledge(number)
    await house.fetched()
    house.acknowledge(WRITE_CREDITS + 2)
    await asyncio.gather(*writings)
    assert house.connection.up


async def test_words_come_in_order_and_a_missing_one_ends_it(house: House) -> None:
    heard: list[bytearray] = []
    subscribing = asyncio.create_task(house.connection.subscribe("ff02", heard.append, seconds=LONG))
    await house.fetched()
    house.acknowledge(1)
    await subscribing
    for number in (1, 2, 4, 5):
        data = bytes([number])
        message = Notified(id=house.connection.id, seq=number, characteristic="ff02", data=data)
        house.connection.notified(message)
    assert heard == [b"\x01", b"\x02"]
    assert house.lost == 1
    assert house.outbox.take(64) == (Disconnect(id=house.connection.id),)


async def test_a_connection_that_is_refused_or_given_up_is_none() -> None:
    for code in ("no_slot", None):
        house = House()
        opening = asyncio.create_task(house.connection.open(seconds=LONG))
        (wish,) = await house.fetched()
        assert isinstance(wish, Connect)
        if code is None:
            opening.cancel()
            with pytest.raises(asyncio.CancelledError):
                await opening
            assert house.outbox.take(64) == (Disconnect(id=wish.id),)
        else:
            house.connection.disconnected(Disconnected(id=wish.id, code=code))
            with pytest.raises(NotConnectedError, match=code):
                await opening
            assert house.outbox.take(64) == ()
        assert house.connection.over


async def test_an_end_that_was_asked_for_is_waited_for_and_no_loss(house: House) -> None:
    closing = asyncio.create_task(house.connection.close())
    (goodbye,) = await house.fetched()
    assert goodbye == Disconnect(id=house.connection.id)
    house.connection.disconnected(Disconnected(id=house.connection.id, code="asked"))
    await closing
    assert (house.connection.over, house.lost) == (True, 0)
