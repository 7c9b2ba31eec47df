"""Mowers that are planned together."""

from dataclasses import dataclass
from typing import Self

from .reading import Reading


@dataclass(frozen=True, kw_only=True)
class Group:
    """One group."""

    id: str
    name: str
    mower_ids: tuple[str, ...]
    max_concurrent: int | None
    """So many of them are out at a time; None is all."""

    @classmethod
    def read(cls, reading: Reading) -> Self:
        """Read it from JSON."""
        return cls(
            id=reading.text("id"),
            name=reading.text("name"),
            mower_ids=reading.texts("mower_ids"),
            max_concurrent=reading.integer_or_none("max_concurrent"),
        )
