"""What a mower did in its life."""

from dataclasses import dataclass
from datetime import datetime
from typing import Self

from .reading import Reading


@dataclass(frozen=True, kw_only=True)
class Health:
    """Totals of a mower, and how long its blades have been in use."""

    mowing_seconds: float
    distance_m: float
    area_m2: float
    charge_cycles: int
    blade_seconds: float
    """Since the blades were new."""
    blade_life_seconds: float
    """At which they should be changed."""
    blades_reset_at: datetime | None

    @classmethod
    def read(cls, reading: Reading) -> Self:
        """Read it from JSON."""
        return cls(
            mowing_seconds=reading.number("mowing_seconds"),
            distance_m=reading.number("distance_m"),
            area_m2=reading.number("area_m2"),
            charge_cycles=reading.integer("charge_cycles"),
            blade_seconds=reading.number("blade_seconds"),
            blade_life_seconds=reading.number("blade_life_seconds"),
            blades_reset_at=reading.moment_or_none("blades_reset_at"),
        )

    @property
    def blade_left_percent(self) -> float | None:
        """How much of the blades' life is left; None where no life is known."""
        if self.blade_life_seconds <= 0:
            return None
        return max(0.0, 100.0 * (1 - self.blade_seconds / self.blade_life_seconds))


@dataclass(frozen=True, kw_only=True)
class MowedArea:
    """How long an area was mowed, and when last."""

    area_id: str
    mowing_seconds: float
    last_mowed_at: datetime

    @classmethod
    def read(cls, reading: Reading) -> Self:
        """Read it from JSON."""
        return cls(
            area_id=reading.text("area_id"),
            mowing_seconds=reading.number("mowing_seconds"),
            last_mowed_at=reading.moment("last_mowed_at"),
        )
