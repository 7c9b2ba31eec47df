"""Publishing, and the last event of a subject."""

import pytest

from edge_gateway.bus.protocol import EventBus
from edge_gateway.contracts import subjects
from edge_gateway.contracts.errors import InvalidError, UnavailableError
from tests.service.bus.contract.conftest import Connect
from tests.service.bus.events import Note, Recorder, event, ids, publish_states


async def test_event_arrives_as_it_was_published(bus: EventBus) -> None:
    arrived = []

    async def handle(envelope: object) -> None:
        arrived.append(envelope)
        recorder.note("arrived")

    recorder = Recorder()
    await bus.subscribe(subjects.ALL_STATES, handle)
    sent = event("mower:1", text="Grüße")
    await bus.publish(subjects.state_subject("mower"), sent)
    await recorder.until_count(1)
    assert arrived == [sent]
    assert sent.decode(Note) == Note("Grüße")


async def test_same_id_is_dropped_by_the_stream(bus: EventBus) -> None:
    recorder = Recorder()
    await bus.subscribe(subjects.ALL_STATES, recorder)
    await publish_states(bus, "mower", [1, 1, 2, 1, 3])
    await recorder.until_all(ids("mower", [1, 2, 3]))
    assert await recorder.quiet() == ids("mower", [1, 2, 3])


async def test_subject_without_a_stream_is_refused(bus: EventBus) -> None:
    with pytest.raises(ValueError, match=r"no stream keeps the subject 'weather\.now'"):
        await bus.publish("weather.now", event("a:1"))
    with pytest.raises(ValueError, match="cannot be published"):
        await bus.publish("telemetry.mower.*", event("a:1"))
    with pytest.raises(ValueError, match="no stream keeps"):
        await bus.subscribe("weather.>", Recorder())


async def test_event_that_no_server_takes_is_refused(bus: EventBus) -> None:
    with pytest.raises(InvalidError) as caught:
        await bus.publish(subjects.map_subject("mower"), event("mower:map", text="x" * 1024 * 1024))
    assert caught.value.code == "event_too_large"


async def test_large_event_arrives(bus: EventBus) -> None:
    await bus.publish(subjects.map_subject("mower"), event("mower:map", text="x" * 1000 * 1000))
    last = await bus.last(subjects.map_subject("mower"))
    assert last is not None
    assert len(last.decode(Note).text) == 1000 * 1000


async def test_last_is_the_newest_of_its_subject(bus: EventBus) -> None:
    assert await bus.last(subjects.state_subject("first")) is None
    await publish_states(bus, "first", [1, 2])
    await publish_states(bus, "second", [3])
    last = await bus.last(subjects.state_subject("first"))
    assert last is not None
    assert last.id == "first:2"


async def test_every_stream_takes_its_subjects(bus: EventBus) -> None:
    for stream in subjects.STREAMS:
        for pattern in stream.subjects:
            subject = pattern.replace("*", "a")
            await bus.publish(subject, event(f"{subject}:1"))
            last = await bus.last(subject)
            assert last is not None
            assert last.id == f"{subject}:1"


async def test_closed_bus_is_unavailable(connect: Connect) -> None:
    bus = await connect()
    assert await bus.ready()
    await bus.close()
    assert not await bus.ready()
    with pytest.raises(UnavailableError) as caught:
        await publish_states(bus, "mower", [1])
    assert caught.value.code == "bus_unavailable"
