"""The one tree of errors: each has a code for programs, a sentence for a person and a remedy.

The wire form is `ErrorReply`; `raise_for` turns it back into the same class on the asking side.
"""

from typing import Any, ClassVar

import msgspec


class ErrorReply(msgspec.Struct, frozen=True, omit_defaults=True):
    """An error as it crosses the bus and the API."""

    code: str
    """What is wrong, for programs: lower case with underscores, never changed once published."""
    detail: str
    """One sentence for a person."""
    kind: str = "internal"
    """Which class of the tree it is (see `MowDeckError.kind`)."""
    remedy: str | None = None
    """What the reader can do about it."""
    field: str | None = None
    """The field of the request that is wrong, as a path: `recurrence.days`."""
    values: dict[str, Any] = {}
    """The numbers behind the sentence."""


class MowDeckError(Exception):
    """The root of our errors."""

    kind: ClassVar[str] = "internal"
    """The name of the class on the wire."""
    status: ClassVar[int] = 500
    """The HTTP status that the API answers with."""

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        remedy: str | None = None,
        field: str | None = None,
        values: dict[str, Any] | None = None,
    ) -> None:
        """Keep code, sentence, remedy, field and numbers."""
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.remedy = remedy
        self.field = field
        self.values = values or {}

    def reply(self) -> ErrorReply:
        """Return the wire form."""
        return ErrorReply(
            code=self.code,
            detail=self.detail,
            kind=self.kind,
            remedy=self.remedy,
            field=self.field,
            values=self.values,
        )


class InvalidError(MowDeckError):
    """The request is wrong; the field is named."""

    kind = "invalid"
    status = 422


class UnsafeError(MowDeckError):
    """The order would be dangerous or is refused by a rule that protects people, animals or the machine."""

    kind = "unsafe"
    status = 409


class ForbiddenError(MowDeckError):
    """The principal sees the thing and lacks the right."""

    kind = "forbidden"
    status = 403


class NotFoundError(MowDeckError):
    """There is no such thing, or the principal does not see it."""

    kind = "not_found"
    status = 404


class ConflictError(MowDeckError):
    """The thing is in a state in which the request cannot be done (`key_reused`, `firing`)."""

    kind = "conflict"
    status = 409


class UnavailableError(MowDeckError):
    """What is needed cannot be reached now: a mower, a service (`no_responder`), the bus, the database."""

    kind = "unavailable"
    status = 503


class DeadlineError(MowDeckError):
    """No answer came in time; whether it was done is not known."""

    kind = "deadline"
    status = 504


class ConfigurationError(MowDeckError):
    """The program cannot start as it is configured: name, value and what is allowed are in the sentence."""

    kind = "configuration"


_CLASSES: dict[str, type[MowDeckError]] = {
    cls.kind: cls
    for cls in (
        InvalidError,
        UnsafeError,
        ForbiddenError,
        NotFoundError,
        ConflictError,
        UnavailableError,
        DeadlineError,
        ConfigurationError,
    )
}


def from_reply(reply: ErrorReply) -> MowDeckError:
    """Return the error that an `ErrorReply` stands for, of the class it was raised as."""
    error_class = _CLASSES.get(reply.kind, MowDeckError)
    return error_class(reply.code, reply.detail, remedy=reply.remedy, field=reply.field, values=reply.values)
