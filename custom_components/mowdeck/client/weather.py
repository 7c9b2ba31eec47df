"""What the rain rule says at a mower."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self

from .reading import Reading


@dataclass(frozen=True, kw_only=True)
class Override:
    """A person's word that wins over the rule until a moment."""

    until: datetime
    set_by: str

    @classmethod
    def read(cls, reading: Reading) -> Self:
        """Read it from JSON."""
        return cls(until=reading.moment("until"), set_by=reading.text("set_by"))


@dataclass(frozen=True, kw_only=True)
class Overrides:
    """The words of persons about one mower that still count."""

    mower_hold: Override | None
    """No plan starts the mower until then."""
    rain_override: Override | None
    """It mows whatever the rain rule says until then."""

    @classmethod
    def read(cls, reading: Reading) -> Self:
        """Read it from JSON."""
        return cls(
            mower_hold=reading.object_or_none("mower_hold", Override.read),
            rain_override=reading.object_or_none("rain_override", Override.read),
        )


@dataclass(frozen=True, kw_only=True)
class MowerWeather:
    """The verdict and what it was made from."""

    hold: bool
    """A plan's firing would not start now."""
    reason: str
    """A code."""
    wet: bool | None
    wet_until: datetime | None
    pause_until: datetime | None
    """When the rule lets a plan start again; None when it may now, or nobody knows."""
    settings: Mapping[str, Any]
    """The rule's, as they count for this mower."""
    overrides: Overrides
    numbers: Mapping[str, Any]
    provider: str
    fetched_at: datetime | None
    attribution: str | None
    """What must be shown with it."""

    @property
    def hold_until(self) -> datetime | None:
        """When a plan may start again, by the rule and by a person's hold; None when it may now, or nobody knows."""
        if not self.hold:
            return None
        hold = self.overrides.mower_hold
        by_hand = None if hold is None else hold.until
        return max((moment for moment in (self.pause_until, by_hand) if moment is not None), default=None)

    @classmethod
    def read(cls, reading: Reading) -> Self:
        """Read it from JSON."""
        return cls(
            hold=reading.flag("hold"),
            reason=reading.text("reason"),
            wet=reading.flag_or_none("wet"),
            wet_until=reading.moment_or_none("wet_until"),
            pause_until=reading.moment_or_none("pause_until"),
            settings=reading.mapping("settings"),
            overrides=Overrides.read(reading),
            numbers=reading.mapping("numbers"),
            provider=reading.text("provider"),
            fetched_at=reading.moment_or_none("fetched_at"),
            attribution=reading.text_or_none("attribution"),
        )
