"""Says in full where two lists that have to agree do not: pytest shows the first difference, and cuts off the rest."""

from collections.abc import Collection


def agree(there: Collection[str], needed: Collection[str], what: str) -> None:
    """Fail naming every one that is missing, and every one that nobody needs, of something (`texts of actions`)."""
    missing, too_many = set(needed) - set(there), set(there) - set(needed)
    told = [f"missing: {', '.join(sorted(missing))}"] if missing else []
    told += [f"not needed: {', '.join(sorted(too_many))}"] if too_many else []
    assert not told, f"{what}: {'; '.join(told)}"
