"""What Home Assistant and the gateway say to each other when Home Assistant lends its Bluetooth (`/api/v1/bluetooth`).

Home Assistant dials. Each message is one JSON text; `type` names it. Bytes are base64 in JSON. Clocks differ, so every
time is a duration: how old something is, or how long it may still take. A connection has an id that the gateway gives.
"""

import msgspec

WRITE_CREDITS = 8
"""So many writes of one connection may wait for their acknowledgement; the gateway sends no more before that."""

NOTIFY_CREDITS = 64
"""So many notifications of one connection may wait to be sent; one more ends it, as BluFi's frames are numbered."""

ADVERTISEMENT_SECONDS = 5.0
"""An advertisement of one mower over one scanner is told at most so often."""


class Scanner(msgspec.Struct, frozen=True, kw_only=True):
    """One adapter or proxy of Home Assistant."""

    source: str
    """Its address, as Home Assistant knows it."""
    name: str
    connectable: bool
    """Connections can be made over it."""
    slots: int | None
    """Connections that it can hold at once; null when it does not tell."""
    free_slots: int | None
    """Connections that it can still make; null when it does not tell."""


class Characteristic(msgspec.Struct, frozen=True, kw_only=True):
    """A characteristic of a connected mower."""

    uuid: str
    handle: int
    properties: tuple[str, ...]
    """In bleak's words: `read`, `write`, `write-without-response`, `notify`, `indicate`."""


class GattService(msgspec.Struct, frozen=True, kw_only=True):
    """A GATT service of a connected mower."""

    uuid: str
    handle: int
    characteristics: tuple[Characteristic, ...]


class FromHomeAssistant(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """What Home Assistant says."""


class Hello(FromHomeAssistant, frozen=True, kw_only=True, tag="hello"):
    """The first message, and again whenever scanners or their free slots change."""

    instance_id: str
    """Home Assistant's own id."""
    scanners: tuple[Scanner, ...]


class Advertisement(FromHomeAssistant, frozen=True, kw_only=True, tag="advert"):
    """A watched mower was heard."""

    source: str
    """The scanner."""
    address: str
    name: str
    signal_dbm: int
    age_ms: int
    service_uuids: tuple[str, ...] = ()
    manufacturer_data: dict[int, bytes] = msgspec.field(default_factory=dict)


class Connected(FromHomeAssistant, frozen=True, kw_only=True, tag="connected"):
    """A connection was made; its notifications begin with `subscribe`."""

    id: str
    source: str
    """The scanner over which."""
    mtu: int
    services: tuple[GattService, ...]


class Acknowledged(FromHomeAssistant, frozen=True, kw_only=True, tag="ack"):
    """A write or a subscription is done, or why not."""

    id: str
    seq: int
    code: str | None = None
    """Null: done. `spent`: its time was over, so it certainly did not leave. Other codes: it may have left."""
    detail: str = ""


class Notified(FromHomeAssistant, frozen=True, kw_only=True, tag="notify"):
    """The mower said something; `seq` rises by one with each of a connection, from 1."""

    id: str
    seq: int
    characteristic: str
    data: bytes


class Disconnected(FromHomeAssistant, frozen=True, kw_only=True, tag="disconnected"):
    """A connection ended, or could not be made."""

    id: str
    code: str
    """Why: `asked`, `lost`, `idle`, `overrun` or `stopped`; and one that was never made: `not_found`, `no_slot`,
    `no_answer`, `failed`, `owned` (by another entry) or `not_lent`."""
    detail: str = ""
    """For a person: with a connection that could not be made, what Home Assistant knows about why."""


class ToHomeAssistant(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """What the gateway says."""


class Watch(ToHomeAssistant, frozen=True, kw_only=True, tag="watch"):
    """The mowers that Home Assistant may carry: all of them, each time; advertisements of others are not told."""

    names: tuple[str, ...]
    """The names that they advertise."""


class Connect(ToHomeAssistant, frozen=True, kw_only=True, tag="connect"):
    """Connect to a watched mower; `connected` or `disconnected` answers."""

    id: str
    address: str
    source: str | None
    """The scanner that the gateway would take; null: the best one."""
    budget_ms: int


class Subscribe(ToHomeAssistant, frozen=True, kw_only=True, tag="subscribe"):
    """Let notifications of a characteristic come; `ack` answers."""

    id: str
    seq: int
    characteristic: str
    budget_ms: int


class Write(ToHomeAssistant, frozen=True, kw_only=True, tag="write"):
    """Write to a characteristic; `ack` answers. `seq` rises by one with each write or subscription of a connection."""

    id: str
    seq: int
    characteristic: str
    data: bytes
    response: bool
    budget_ms: int
    """Not written when this time is over."""


class ClearCache(ToHomeAssistant, frozen=True, kw_only=True, tag="clear_cache"):
    """Forget what is known of a mower's services, before the next connection."""

    address: str


class Disconnect(ToHomeAssistant, frozen=True, kw_only=True, tag="disconnect"):
    """End a connection; `disconnected` (`asked`) answers."""

    id: str


class Refused(ToHomeAssistant, frozen=True, kw_only=True, tag="error"):
    """The last message before the gateway closes the WebSocket because of something that Home Assistant said."""

    code: str
    """`malformed_json`, `invalid`, `hello_missing` or `instance_changed`; also the reason of the close frame."""
    detail: str
    field: str | None = None
    """Which field is wrong, as a path: `scanners[0].source`."""


type Said = Hello | Advertisement | Connected | Acknowledged | Notified | Disconnected
"""Any message of Home Assistant."""

type Told = Watch | Connect | Subscribe | Write | ClearCache | Disconnect | Refused
"""Any message of the gateway."""
