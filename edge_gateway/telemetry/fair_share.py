"""How many partitions each copy of Telemetry takes in. Pure."""

from collections.abc import Collection


def fair_share(partitions: int, replicas: Collection[str], replica: str) -> int:
    """Return how many of the partitions are one replica's: all have as many, or one more.

    The shares of all replicas make up all partitions. `replicas` are the instance ids of those that live; one that is
    not among them is counted in, so that nobody waits for others to hear of it.
    """
    everyone = sorted({*replicas, replica})
    least, left = divmod(partitions, len(everyone))
    return least + (everyone.index(replica) < left)


def to_give_up(held: Collection[int], share: int) -> tuple[int, ...]:
    """Return the partitions that a replica with more than its share gives to the others: those numbered highest."""
    return tuple(sorted(held)[share:])
