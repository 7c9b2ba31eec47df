"""Questions and answers as bytes: typed both ways, errors as `ErrorReply`. Pure but for the handler's call."""

import re
from collections.abc import Awaitable, Callable

import msgspec
import structlog

from edge_gateway.contracts.errors import (
    ConfigurationError,
    DeadlineError,
    ErrorReply,
    InvalidError,
    MowDeckError,
    UnavailableError,
    from_reply,
)
from edge_gateway.contracts.routes import Route

_log = structlog.get_logger(__name__)

_PATH = re.compile(r" - at `(?P<path>[^`]*)`$")
_MISSING = re.compile(r"missing required field `(?P<field>[^`]*)`")


class Answer(msgspec.Struct, frozen=True):
    """An answer as it travels."""

    data: bytes
    error: bool = False
    """The data is an `ErrorReply`."""


def field_of(error: msgspec.DecodeError) -> str | None:
    """Return the field that a decoding error is about, as a path such as `draft.recurrence`; null for the whole."""
    sentence = str(error)
    path = match["path"].removeprefix("$").removeprefix(".") if (match := _PATH.search(sentence)) else ""
    if missing := _MISSING.search(sentence):
        path = f"{path}.{missing['field']}".removeprefix(".")
    return path or None


async def answer[Q: msgspec.Struct, A: msgspec.Struct](
    route: Route[Q, A], handler: Callable[[Q], Awaitable[A]], data: bytes
) -> Answer:
    """Return the handler's answer to an encoded question; every error becomes an error answer."""
    try:
        try:
            question = msgspec.json.decode(data, type=route.question)
        except msgspec.DecodeError as error:
            sentence = f"The request {route.subject} is not valid: {error}."
            raise InvalidError("invalid", sentence, field=field_of(error)) from error
        return Answer(msgspec.json.encode(await handler(question)))
    except MowDeckError as error:
        return Answer(msgspec.json.encode(error.reply()), error=True)
    except Exception:  # noqa: BLE001  # the contract: any other error is answered as internal
        _log.exception("request failed", route=route.subject)
        reply = ErrorReply(
            code="internal", detail=f"The service {route.service} failed at {route.subject}; see its log."
        )
        return Answer(msgspec.json.encode(reply), error=True)


def read_answer[Q: msgspec.Struct, A: msgspec.Struct](route: Route[Q, A], given: Answer) -> A:
    """Return the typed answer; raises the answering side's own error."""
    if given.error:
        raise from_reply(msgspec.json.decode(given.data, type=ErrorReply))
    try:
        return msgspec.json.decode(given.data, type=route.answer)
    except msgspec.DecodeError as error:
        message = f"The answer of {route.subject} cannot be read: {error}."
        raise MowDeckError("answer_unreadable", message) from error


def no_responder(subject: str) -> UnavailableError:
    """Return the error for a route that nobody serves."""
    return UnavailableError(
        "no_responder", f"No service answers {subject} now.", remedy="Check that the service runs; try again."
    )


def no_answer(subject: str, timeout_seconds: float) -> DeadlineError:
    """Return the error for a question whose time is over."""
    return DeadlineError(
        "no_answer",
        f"No answer from {subject} within {timeout_seconds:g} s; whether it was done is not known.",
        values={"timeout_seconds": timeout_seconds},
    )


def bus_unavailable(what: str) -> UnavailableError:
    """Return the error for a server that cannot be reached or does not do `what` (a clause without a full stop)."""
    return UnavailableError("bus_unavailable", f"The bus is not available: {what}.", remedy="It is tried again.")


def partitions_in_use(present: int, wanted: int) -> ConfigurationError:
    """Return the error for a number of partitions that cannot be changed yet."""
    return ConfigurationError(
        "partitions_in_use",
        f"The states are divided among {present} partitions of which some are not taken in yet, so they cannot be "
        f"divided among {wanted} now.",
        remedy=f"Start with MOWDECK_TELEMETRY_PARTITIONS={present} and change it when all states are taken in.",
        values={"present": present, "wanted": wanted},
    )
