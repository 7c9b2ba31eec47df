"""The partitions are shared fairly: all are somebody's, and nobody has two more than another."""

from hypothesis import given
from hypothesis import strategies as st

from edge_gateway.telemetry.fair_share import fair_share, to_give_up

_REPLICAS = st.sets(st.text("abcdef0123456789", min_size=1, max_size=4), min_size=1, max_size=8)


@given(st.integers(1, 64), _REPLICAS)
def test_shares_make_up_all_partitions_and_differ_by_one_at_most(partitions: int, replicas: set[str]) -> None:
    shares = [fair_share(partitions, replicas, replica) for replica in replicas]
    assert sum(shares) == partitions
    assert max(shares) - min(shares) <= 1


@given(st.integers(1, 64), _REPLICAS)
def test_one_that_the_others_do_not_know_yet_counts_itself(partitions: int, replicas: set[str]) -> None:
    newcomer = "newcomer"
    assert fair_share(partitions, replicas, newcomer) == fair_share(partitions, {*replicas, newcomer}, newcomer)


@given(st.sets(st.integers(0, 63)), st.integers(0, 64))
def test_what_is_given_up_is_what_is_too_much(held: set[int], share: int) -> None:
    given_up = to_give_up(held, share)
    assert set(given_up) <= held
    assert len(held) - len(given_up) == min(len(held), share)


def test_the_first_two_of_three_partitions_stay_with_the_first_replica() -> None:
    assert [fair_share(3, ("a", "b"), replica) for replica in "ab"] == [2, 1]
    assert to_give_up({0, 1, 2}, 2) == (2,)
    assert fair_share(1, ("a", "b"), "b") == 0
