"""What JetStream is told."""

from nats.js import api

from edge_gateway.bus.jetstream import durable, streams
from edge_gateway.bus.limits import BusLimits
from edge_gateway.contracts import subjects

LIMITS = BusLimits()


def test_duplicates_are_dropped_within_the_age_of_a_stream() -> None:
    for stream in subjects.STREAMS:
        definition = streams.stream_definition(stream)
        age = stream.max_age.total_seconds() if stream.max_age else float("inf")
        assert 0 < definition.duplicate_window <= min(age, 120)


def test_nothing_differs_from_itself() -> None:
    for stream in subjects.STREAMS:
        definition = streams.stream_definition(stream)
        assert streams.brought_up_to_date(definition, definition) is None


def test_what_the_operator_chose_stays() -> None:
    wanted = streams.stream_definition(subjects.TELEMETRY)
    present = wanted.evolve(num_replicas=3, max_bytes=5, description="mine")
    changed = streams.brought_up_to_date(present, wanted)
    assert changed is not None
    assert changed.num_replicas == 3
    assert changed.description == "mine"
    assert changed.max_bytes == subjects.TELEMETRY.max_bytes


def test_batches_have_room_for_three() -> None:
    assert durable.max_acknowledge_pending(64) == 1000
    assert durable.max_acknowledge_pending(334) == 1002
    assert durable.max_acknowledge_pending(4000) == 12000


def test_device_starts_with_everything_and_others_with_what_is_new() -> None:
    maps = durable.durable_definition(subjects.ALL_MAPS, "api", max_batch=1, limits=LIMITS)
    assert maps.deliver_policy == api.DeliverPolicy.ALL
    outcomes = durable.durable_definition(subjects.ALL_OUTCOMES, "api", max_batch=1, limits=LIMITS)
    assert outcomes.deliver_policy == api.DeliverPolicy.NEW


def test_durable_keeps_its_start_when_it_changes() -> None:
    wanted = durable.durable_definition(subjects.ALL_STATES, "ingest", max_batch=500, limits=LIMITS)
    earlier = durable.durable_definition(subjects.ALL_STATES, "ingest", max_batch=64, limits=LIMITS)
    present = earlier.evolve(deliver_policy=api.DeliverPolicy.BY_START_SEQUENCE, opt_start_seq=42)
    changed = durable.brought_up_to_date(present, wanted)
    assert changed is not None
    assert changed.opt_start_seq == 42
    assert changed.max_ack_pending == 1500
    assert durable.brought_up_to_date(changed, wanted) is None
