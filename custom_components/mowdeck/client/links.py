"""In which order a mower's links are used."""

from dataclasses import dataclass
from typing import Any, Self

from .reading import Reading

CLOUD = "cloud"
HOME_ASSISTANT = "home_assistant"
"""Home Assistant's own Bluetooth, lent to the gateway."""


@dataclass(frozen=True, kw_only=True)
class Links:
    """In which order they are used; one that is left out is never used."""

    order: tuple[str, ...]

    @classmethod
    def read(cls, reading: Reading) -> Self:
        """Read it from JSON."""
        return cls(order=reading.texts("order"))

    def json(self) -> dict[str, Any]:
        """Return the body of the request."""
        return {"order": list(self.order)}

    def with_home_assistant(self) -> Self:
        """Return an order in which Home Assistant comes last of what is near: a cloud comes after it."""
        if HOME_ASSISTANT in self.order:
            return self
        place = self.order.index(CLOUD) if CLOUD in self.order else len(self.order)
        return type(self)(order=(*self.order[:place], HOME_ASSISTANT, *self.order[place:]))

    def without_home_assistant(self) -> Self | None:
        """Return an order without it; None when nothing would be left."""
        left = tuple(link for link in self.order if link != HOME_ASSISTANT)
        return type(self)(order=left) if left else None
