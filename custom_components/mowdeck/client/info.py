"""What a gateway says about itself: `GET /api/v1/info` and the first message of the event stream."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from .errors import VersionError
from .reading import Reading

API_VERSION = 1
"""The version of the API that this client speaks."""


@dataclass(frozen=True, kw_only=True)
class Info:
    """A gateway."""

    version: str
    api_lowest: int
    api_highest: int
    gateway_id: str
    """Stable for the gateway's data."""
    name: str
    services: Mapping[str, bool]
    """Readiness by service."""

    @classmethod
    def read(cls, reading: Reading) -> Self:
        """Read it from JSON."""
        api = reading.object("api")
        return cls(
            version=reading.text("version"),
            api_lowest=api.integer("min"),
            api_highest=api.integer("max"),
            gateway_id=reading.text("gateway_id"),
            name=reading.text("name"),
            services={name: bool(ready) for name, ready in reading.mapping("services").items()},
        )

    def check_version(self) -> None:
        """Raise `VersionError` when the gateway does not speak this client's version."""
        if not self.api_lowest <= API_VERSION <= self.api_highest:
            raise VersionError(spoken=API_VERSION, lowest=self.api_lowest, highest=self.api_highest)
