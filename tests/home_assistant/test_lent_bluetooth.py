"""Home Assistant's Bluetooth lent to the gateway: the real one, over a scanner of ours, to an emulated mower."""

import base64
import time
from collections.abc import AsyncGenerator

import pytest
from homeassistant.const import EVENT_HOMEASSISTANT_STOP
from homeassistant.core import HomeAssistant

from custom_components.mowdeck.diagnostics import async_get_config_entry_diagnostics
from custom_components.mowdeck.hub import MowDeckConfigEntry
from custom_components.mowdeck.lent_bluetooth import connecting, connection
from tests.emulators.esphome_bridge.peripheral import NO_ANSWER, STATUS_133
from tests.emulators.gateway.gateway import EmulatedGateway
from tests.home_assistant.near import (
    ADDRESS,
    LONG_MS,
    NAME,
    NOTIFY,
    SERVICE,
    WRITE,
    NearMower,
    connect,
    have_bluetooth,
    refused,
    write,
)
from tests.home_assistant.scanner.scanner import SOURCE, EmulatedScanner

pytestmark = pytest.mark.usefixtures("lent")


@pytest.fixture
def mower() -> NearMower:
    return NearMower()


@pytest.fixture
async def scanner(hass: HomeAssistant, mower: NearMower) -> AsyncGenerator[EmulatedScanner]:
    """Have Bluetooth with one scanner that hears the mower."""
    await have_bluetooth(hass)
    scanner = EmulatedScanner()
    scanner.register(hass)
    scanner.hear(mower.peripheral)
    yield scanner
    scanner.unregister()


@pytest.fixture
async def lent(
    scanner: EmulatedScanner,  # noqa: ARG001  # there first
    gateway: EmulatedGateway,
    loaded: MowDeckConfigEntry,
) -> MowDeckConfigEntry:
    """Have an entry that lends, and a gateway that wants the mower."""
    await gateway.lending.hear("hello")
    await gateway.lending.tell("watch", names=[NAME])
    await gateway.lending.hear("advert")
    return loaded


async def test_a_mower_is_heard_connected_written_to_and_listened_to(
    hass: HomeAssistant, gateway: EmulatedGateway, lent: MowDeckConfigEntry, scanner: EmulatedScanner, mower: NearMower
) -> None:
    lending = gateway.lending
    hello = await lending.hear("hello")
    described = {"source": SOURCE, "name": f"emulated ({SOURCE})", "connectable": True, "slots": 3, "free_slots": 3}
    assert described in hello["scanners"]
    advert = await lending.hear("advert")
    assert (advert["address"], advert["name"], advert["source"]) == (ADDRESS, NAME, SOURCE)
    assert (advert["signal_dbm"], advert["service_uuids"]) == (-60, [SERVICE])
    assert advert["manufacturer_data"] == {"424": "AQI="}
    assert 0 <= advert["age_ms"] < 60_000

    connected = await connect(lending)
    assert (connected["source"], connected["mtu"]) == (SOURCE, 247)
    characteristics = {each["uuid"]: each["properties"] for each in connected["services"][0]["characteristics"]}
    assert characteristics == {WRITE: ["write"], NOTIFY: ["read", "notify"]}
    # Its slot is taken, and the gateway hears of it.
    taken = await lending.hear("hello", nth=2)
    assert [each["free_slots"] for each in taken["scanners"] if each["source"] == SOURCE] == [2]

    await lending.tell("subscribe", id="c1", seq=1, characteristic=NOTIFY, budget_ms=LONG_MS)
    assert (await lending.hear("ack", seq=1))["code"] is None
    await write(lending, 2, b"\x4d\x00start")
    assert (await lending.hear("ack", seq=2))["code"] is None
    assert mower.heard == [b"\x4d\x00start"]
    for number in range(3):
        mower.notify(bytes([number]))
    assert (await lending.hear("notify", seq=3))["data"] == base64.b64encode(b"\x02").decode()
    assert [each["seq"] for each in lending.find("notify")] == [1, 2, 3]

    told = await async_get_config_entry_diagnostics(hass, lent)
    assert told["lent_bluetooth"]["connected"] is True
    assert (told["lent_bluetooth"]["mowers_heard"], told["lent_bluetooth"]["connections"]) == (1, 1)
    assert NAME not in str(told)
    assert ADDRESS not in str(told)
    assert SOURCE not in str(told)

    await lending.tell("disconnect", id="c1")
    await lending.hear("disconnected", id="c1", code="asked")
    assert scanner.air.clients == []
    await connect(lending, "c2")
    scanner.air.drop()
    await lending.hear("disconnected", id="c2", code="lost")


async def test_an_advertisement_is_told_now_and_then_over_each_scanner(
    hass: HomeAssistant, gateway: EmulatedGateway, scanner: EmulatedScanner, mower: NearMower
) -> None:
    lending = gateway.lending
    other = EmulatedScanner(source="AA:BB:CC:00:00:02", name="shed", slots=0)
    other.register(hass)
    # It only listens: it hears no name, and the mower is known all the same.
    other.hear(mower.peripheral, name=None)
    for _ in range(5):
        scanner.hear(mower.peripheral)
    assert (await lending.hear("advert", source=other.source))["name"] == NAME
    shed = (await lending.hear("hello", nth=2))["scanners"][-1]
    assert (shed["source"], shed["slots"], shed["free_slots"]) == (other.source, None, None)
    scanner.hear(mower.peripheral, maker_data=b"\x02")
    assert len(lending.find("advert", source=SOURCE)) == 1

    # Its name moves to another address, as after a repair, and somebody else takes its address.
    scanner.hear(NearMower(mac="C0:FF:EE:00:00:02").peripheral)
    await lending.hear("advert", address="C0:FF:EE:00:00:02")
    await lending.tell("watch", names=[NAME, "Yuka-1"])
    scanner.hear(mower.peripheral, name="Yuka-1")
    other.unregister()


async def test_why_a_connection_cannot_be_made_is_said(
    gateway: EmulatedGateway, scanner: EmulatedScanner, mower: NearMower
) -> None:
    # A scanner that does not tell its slots is taken at its word.
    scanner.slots = 0
    assert (await connect(gateway.lending))["source"] == SOURCE
    await gateway.lending.tell("disconnect", id="c1")
    await gateway.lending.hear("disconnected", id="c1")
    scanner.slots = 3
    made = mower.peripheral.connects

    unknown = await refused(gateway, "not_found", address="C0:FF:EE:00:00:99")
    assert "never seen by any scanner" in unknown["detail"]
    scanner.hear(NearMower(mac="C0:FF:EE:00:00:98", name="A lamp").peripheral)
    await refused(gateway, "not_lent", address="C0:FF:EE:00:00:98")

    mower.peripheral.connect_error = STATUS_133
    failed = await refused(gateway, "failed")
    assert "error 133" in failed["detail"]
    assert "emulated" in failed["detail"]
    assert mower.peripheral.connects == made + connecting.ATTEMPTS
    mower.peripheral.connect_error = NO_ANSWER
    await refused(gateway, "no_answer", budget_ms=50)

    scanner.slots = 1
    mower.peripheral.connect_error = 0
    scanner.hear(NearMower(mac="C0:FF:EE:00:00:97").peripheral)
    before = mower.peripheral.connects
    await connect(gateway.lending, "other", address="C0:FF:EE:00:00:97")
    full = await refused(gateway, "no_slot")
    assert "all full" in full["detail"]
    assert mower.peripheral.connects == before


async def test_what_is_late_does_not_leave_and_what_is_too_much_ends_the_connection(
    gateway: EmulatedGateway, scanner: EmulatedScanner, mower: NearMower
) -> None:
    lending = gateway.lending
    await connect(lending)
    scanner.air.writable.clear()
    await write(lending, 1, b"stuck", budget_ms=500)
    await write(lending, 2, b"late", budget_ms=250)
    assert (await lending.hear("ack", seq=1))["code"] == "no_answer"
    assert (await lending.hear("ack", seq=2))["code"] == "spent"
    scanner.air.writable.set()
    await write(lending, 3, b"in time")
    assert (await lending.hear("ack", seq=3))["code"] is None
    # Home Assistant stands still while a write lies before it: the time that it lay there counts.
    await write(lending, 14, b"old", budget_ms=700)
    time.sleep(0.8)  # noqa: ASYNC251  # just that
    assert (await lending.hear("ack", seq=14))["code"] == "spent"
    assert mower.heard == [b"in time"]
    await lending.tell("subscribe", id="c1", seq=4, characteristic="0000abcd", budget_ms=LONG_MS)
    assert (await lending.hear("ack", seq=4))["code"] == "failed"

    scanner.air.writable.clear()
    for seq in range(5, 14):
        await write(lending, seq, b"too many")
    await lending.hear("disconnected", id="c1", code="overrun")
    assert scanner.air.clients == []

    await connect(lending, "c2")
    await lending.tell("subscribe", id="c2", seq=1, characteristic=NOTIFY, budget_ms=LONG_MS)
    await lending.hear("ack", id="c2", seq=1)
    for number in range(66):
        mower.notify(bytes([number]))
    await lending.hear("disconnected", id="c2", code="overrun")
    assert [each["seq"] for each in lending.find("notify")] == list(range(1, 65))
    assert mower.say is None

    await connect(lending, "c3")
    scanner.air.broken = RuntimeError("a defect of whatever speaks to the radio")
    scanner.air.writable.set()
    await write(lending, 1, b"anything", connection_id="c3")
    await lending.hear("disconnected", id="c3", code="failed")
    assert mower.say is None


async def test_services_are_read_anew_and_what_nobody_wants_is_let_go(
    gateway: EmulatedGateway, scanner: EmulatedScanner, mower: NearMower, monkeypatch: pytest.MonkeyPatch
) -> None:
    lending = gateway.lending
    await lending.tell("clear_cache", address=ADDRESS)
    await connect(lending)
    assert (scanner.air.cleared, mower.peripheral.connects) == ([ADDRESS], 2)
    await lending.tell("clear_cache", address=ADDRESS)
    await write(lending, 1, b"after it")
    await lending.hear("ack", seq=1)
    assert scanner.air.cleared == [ADDRESS, ADDRESS]
    # The next one takes the place of the one that is there, and waits until it has let go; an id counts once.
    await connect(lending, "c2")
    await lending.hear("disconnected", id="c1", code="asked")
    await lending.tell("connect", id="c2", address=ADDRESS, source=None, budget_ms=LONG_MS)
    await write(lending, 2, b"to the old", connection_id="c1")
    await lending.tell("disconnect", id="c1")
    await write(lending, 1, b"to the new", connection_id="c2")
    await lending.hear("ack", id="c2", seq=1)
    assert mower.heard == [b"after it", b"to the new"]
    # What is not wanted any more is let go, and not listened to.
    await lending.tell("watch", names=[])
    await lending.hear("disconnected", id="c2", code="stopped")
    await refused(gateway, "not_lent")

    await lending.tell("watch", names=[NAME])
    await connect(lending, "c3")
    await lending.tell("subscribe", id="c3", seq=1, characteristic=NOTIFY, budget_ms=LONG_MS)
    await lending.hear("ack", id="c3", seq=1)
    # From the next order on.
    monkeypatch.setattr(connection, "IDLE_SECONDS", 0.2)
    await write(lending, 2, b"the last", connection_id="c3")
    await lending.hear("disconnected", id="c3", code="idle")
    assert mower.heard[-1] == b"the last"
    assert mower.say is None


@pytest.mark.parametrize("ending", ["unload", "socket", "stop"])
async def test_every_end_lets_go_of_the_mower(
    hass: HomeAssistant,
    gateway: EmulatedGateway,
    lent: MowDeckConfigEntry,
    scanner: EmulatedScanner,
    mower: NearMower,
    ending: str,
) -> None:
    lending = gateway.lending
    await connect(lending)
    # Even one that does not go well.
    scanner.air.broken = EOFError("gone")
    match ending:
        case "unload":
            assert await hass.config_entries.async_unload(lent.entry_id)
            assert mower.say is None
            await lending.until_gone()
            assert lending.find("disconnected", id="c1", code="stopped")
        case "socket":
            await lending.drop()
            await lending.hear("hello")
            assert mower.say is None
            assert lending.dialled == 2
        case "stop":
            hass.bus.async_fire(EVENT_HOMEASSISTANT_STOP)
            await hass.async_block_till_done()
            assert mower.say is None
            await lending.until_gone()
            assert lending.find("disconnected", id="c1", code="stopped")
