"""The envelope that every event travels in."""

import builtins
from datetime import datetime

import msgspec

SCHEMA_VERSION = 1


class Envelope(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One event on the bus.

    `payload` stays raw until a reader that knows the type decodes it, so that a relay never has to.
    """

    id: str
    """Deterministic where the event derives from something, a ULID elsewhere; it is the `Nats-Msg-Id`."""
    type: str
    """What happened: the subject without ids, such as `telemetry.mower` or `scheduler.run.recorded`."""
    occurred_at: datetime
    """When it happened, in UTC."""
    account_id: str
    subject_id: str
    """The id of the thing that it is about (a mower, a schedule, a run's schedule, a command)."""
    payload: msgspec.Raw
    """The JSON of the payload struct."""
    schema_version: int = SCHEMA_VERSION

    def decode[T](self, payload_type: builtins.type[T]) -> T:
        """Return the payload as `payload_type`; raises `msgspec.ValidationError` when it is not one."""
        return msgspec.json.decode(self.payload, type=payload_type)


def wrap(
    payload: msgspec.Struct,
    *,
    id: str,  # noqa: A002  # the field's own name
    type: str,  # noqa: A002  # the field's own name
    occurred_at: datetime,
    account_id: str,
    subject_id: str,
) -> Envelope:
    """Return an envelope with the payload encoded."""
    return Envelope(
        id=id,
        type=type,
        occurred_at=occurred_at,
        account_id=account_id,
        subject_id=subject_id,
        payload=msgspec.Raw(msgspec.json.encode(payload)),
    )
