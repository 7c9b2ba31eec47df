"""What the device gateway is asked over the bus, besides vendor accounts."""

from datetime import datetime
from typing import Any

import msgspec

from edge_gateway.contracts.fleet import Asking
from edge_gateway.contracts.map import MowerMap


class MowerRequest(Asking, frozen=True, kw_only=True):
    """A question about one mower: `device_gateway.maps.get`, `device_gateway.settings.list`."""

    mower_id: str


class MapReply(msgspec.Struct, frozen=True, kw_only=True):
    """The map, null while none is known."""

    map: MowerMap | None


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """A setting that the mower has."""

    key: str
    value: Any
    """Null while it is not known."""
    allowed: tuple[str, ...] | None = None
    """The values of a choice."""
    minimum: float | None = None
    maximum: float | None = None
    unit: str | None = None
    label: str | None = None
    """What its owner called it, where the key is the vendor's id."""
    warning: str | None = None
    """A code for what is to be considered about the value: `two_schedulers`."""
    read_only: bool = False
    """The mower tells it and nobody sets it: wear, versions."""


class SettingsReply(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of one mower."""

    items: tuple[Setting, ...]


class Health(msgspec.Struct, frozen=True, kw_only=True):
    """`<service>.health.get`: whether a service can do its work now."""

    service: str
    ready: bool
    detail: str | None = None
    started_at: datetime | None = None


class Nothing(msgspec.Struct, frozen=True, kw_only=True):
    """A request or an answer with nothing in it."""
