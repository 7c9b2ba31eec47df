"""Subjects, patterns and streams."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge_gateway.bus.routing import (
    check_subscription,
    matches,
    overlap,
    starts_with_last,
    stream_of,
    stream_to_publish,
)
from edge_gateway.contracts import subjects

TOKENS = st.sampled_from(["a", "b", "*"])
PATTERNS = st.lists(TOKENS, min_size=1, max_size=4).flatmap(
    lambda tokens: st.sampled_from([".".join(tokens), ".".join([*tokens, ">"])])
)
SUBJECTS = st.lists(st.sampled_from(["a", "b"]), min_size=1, max_size=5).map(".".join)


@pytest.mark.parametrize(
    ("pattern", "subject", "meant"),
    [
        ("a.b", "a.b", True),
        ("a.*", "a.b", True),
        ("a.*", "a.b.c", False),
        ("a.*", "a", False),
        ("a.>", "a.b.c", True),
        ("a.>", "a", False),
        ("*.b", "a.b", True),
        ("a.b.c", "a.b", False),
        ("a", "a.b", False),
        ("*", "a", True),
    ],
)
def test_patterns_mean_subjects_as_the_server_does(pattern: str, subject: str, *, meant: bool) -> None:
    assert matches(pattern, subject) is meant


@given(PATTERNS, PATTERNS, SUBJECTS)
def test_patterns_that_mean_the_same_subject_overlap(one: str, other: str, subject: str) -> None:
    assert overlap(one, other) == overlap(other, one)
    if matches(one, subject) and matches(other, subject):
        assert overlap(one, other)


@given(PATTERNS, SUBJECTS)
def test_pattern_overlaps_a_subject_exactly_when_it_means_it(pattern: str, subject: str) -> None:
    assert overlap(pattern, subject) == matches(pattern, subject)


@pytest.mark.parametrize(
    ("pattern", "stream"),
    [
        ("telemetry.mower.m1", subjects.TELEMETRY),
        (subjects.ALL_STATES, subjects.TELEMETRY),
        (subjects.ALL_MAPS, subjects.DEVICE),
        ("device.mower.m1.availability", subjects.DEVICE),
        (subjects.ALL_OUTCOMES, subjects.OUTCOMES),
        (subjects.ALL_ORDERS, subjects.COMMANDS),
        ("scheduler.>", subjects.EVENTS),
        ("fleet.*.changed", subjects.EVENTS),
        ("telemetry.zone.*", subjects.EVENTS),
    ],
)
def test_stream_of_a_pattern(pattern: str, stream: subjects.Stream) -> None:
    assert stream_of(pattern) == stream


def test_pattern_of_no_or_several_streams_is_refused() -> None:
    with pytest.raises(ValueError, match="no stream keeps"):
        stream_of("weather.now")
    with pytest.raises(ValueError, match=r"several streams: DEVICE, OUTCOMES"):
        stream_of("device.>")


@pytest.mark.parametrize(
    "subject", ["telemetry.mower.*", "telemetry.mower.>", "telemetry.mower.", "telemetry.mower.a b"]
)
def test_only_a_subject_can_be_published_to(subject: str) -> None:
    with pytest.raises(ValueError, match="cannot be published"):
        stream_to_publish(subject)


def test_only_device_starts_with_the_last() -> None:
    assert [stream.name for stream in subjects.STREAMS if starts_with_last(stream)] == ["DEVICE"]


def test_no_two_streams_keep_the_same_subject() -> None:
    patterns = [(stream.name, subject) for stream in subjects.STREAMS for subject in stream.subjects]
    for index, (name, pattern) in enumerate(patterns):
        for other_name, other in patterns[index + 1 :]:
            assert not overlap(pattern, other), (name, pattern, other_name, other)


def test_every_stream_is_bounded() -> None:
    assert all(stream.max_bytes > 0 for stream in subjects.STREAMS)
    assert all(stream.max_age or stream.last_per_subject for stream in subjects.STREAMS)


@pytest.mark.parametrize("durable", ["", "a.b", "a b", "a*", "a" * 65])
def test_durables_name_is_one_token(durable: str) -> None:
    with pytest.raises(ValueError, match="durable"):
        check_subscription(durable=durable, queue=None, acknowledge=True)
