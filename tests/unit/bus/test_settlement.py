"""What becomes of each message of a batch."""

from hypothesis import given
from hypothesis import strategies as st

from edge_gateway.bus.protocol import Verdict
from edge_gateway.bus.settlement import (
    DROPPED_BY_AGE,
    DROPPED_BY_HANDLER,
    Settlement,
    settle,
    settle_raised,
)
from edge_gateway.bus.source import Received

ACK, REDELIVER, DROP = Verdict.ACK, Verdict.REDELIVER, Verdict.DROP
MINUTES_10 = 600.0


def message(sequence: int, subject: str) -> Received:
    return Received(subject=subject, data=b"", sequence=sequence, redelivered=False, pending=0)


def messages(subjects: str, start: int = 1) -> list[Received]:
    """Return one message per letter, which is its subject."""
    return [message(start + index, subject) for index, subject in enumerate(subjects)]


def sequences(settled: tuple[Received, ...]) -> list[int]:
    return [one.sequence for one in settled]


def judge(
    batch: list[Received],
    verdicts: list[Verdict],
    prefetched: list[Received] | None = None,
    *,
    refused_since: dict[int, float] | None = None,
    now: float = 1000.0,
) -> Settlement:
    return settle(
        batch,
        verdicts,
        prefetched or [],
        refused_since=refused_since or {},
        now=now,
        redeliver_for_seconds=MINUTES_10,
    )


def test_each_message_gets_its_verdict() -> None:
    settlement = judge(messages("abc"), [ACK, DROP, REDELIVER])
    assert sequences(settlement.acknowledged) == [1]
    assert [(one.sequence, reason) for one, reason in settlement.dropped] == [(2, DROPPED_BY_HANDLER)]
    assert sequences(settlement.redelivered) == [3]
    assert settlement.refused_since == {3: 1000.0}


def test_redelivered_one_takes_along_later_ones_of_its_subject_only() -> None:
    settlement = judge(messages("aabab"), [ACK, REDELIVER, ACK, DROP, ACK], messages("abba", start=6))
    assert sequences(settlement.acknowledged) == [1, 3, 5]
    assert sequences(settlement.redelivered) == [2, 4, 6, 9]
    assert sequences(settlement.kept) == [7, 8]
    assert settlement.dropped == ()


def test_only_its_own_verdict_makes_a_message_older() -> None:
    settlement = judge(messages("aa"), [REDELIVER, ACK])
    assert settlement.refused_since == {1: 1000.0}


def test_age_counts_from_the_first_refusal() -> None:
    settlement = judge(messages("a"), [REDELIVER], refused_since={1: 500.0}, now=1099.9)
    assert settlement.refused_since == {1: 500.0}
    assert sequences(settlement.redelivered) == [1]


def test_message_refused_too_long_is_dropped_and_holds_nothing_back() -> None:
    settlement = judge(messages("aa"), [REDELIVER, ACK], messages("a", start=3), refused_since={1: 400.0}, now=1000.0)
    assert [(one.sequence, reason) for one, reason in settlement.dropped] == [(1, DROPPED_BY_AGE)]
    assert sequences(settlement.acknowledged) == [2]
    assert sequences(settlement.kept) == [3]
    assert settlement.refused_since == {}


def test_other_verdict_ends_the_age() -> None:
    assert judge(messages("a"), [ACK], refused_since={1: 990.0}).refused_since == {}
    along = judge(messages("aa"), [REDELIVER, ACK], refused_since={1: 990.0, 2: 990.0})
    assert along.refused_since == {1: 990.0}


def test_ages_of_messages_that_never_came_back_are_forgotten() -> None:
    assert judge(messages("a"), [ACK], refused_since={77: 1000.0 - 2 * MINUTES_10}).refused_since == {}
    assert judge(messages("a"), [ACK], refused_since={77: 900.0}).refused_since == {77: 900.0}


def test_raising_redelivers_all_and_ages_none() -> None:
    settlement = settle_raised(messages("ab"), messages("abc", start=3), refused_since={1: 5.0})
    assert sequences(settlement.redelivered) == [1, 2, 3, 4]
    assert sequences(settlement.kept) == [5]
    assert settlement.refused_since == {1: 5.0}


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(Verdict)), min_size=1, max_size=20),
    st.text(alphabet="abc", max_size=20),
    st.sets(st.integers(1, 20)),
)
def test_every_message_is_settled_once_and_no_subject_is_overtaken(
    judged: list[tuple[str, Verdict]], following: str, old: set[int]
) -> None:
    batch = messages("".join(subject for subject, _ in judged))
    prefetched = messages(following, start=len(batch) + 1)
    settlement = judge(
        batch, [verdict for _, verdict in judged], prefetched, refused_since=dict.fromkeys(old, 0.0), now=700.0
    )
    settled = [*settlement.acknowledged, *(one for one, _ in settlement.dropped)]
    everything = [*settled, *settlement.redelivered, *settlement.kept]
    assert sorted(one.sequence for one in everything) == list(range(1, len(batch) + len(prefetched) + 1))
    for subject in "abc":
        given_back = [one.sequence for one in settlement.redelivered if one.subject == subject]
        assert given_back == sorted(given_back)
        if given_back:
            assert all(one.sequence < given_back[0] for one in settled if one.subject == subject)
            assert all(one.subject != subject for one in settlement.kept)
