"""Errors as the API answers them: `{"error": {code, detail, field?, values?, remedy?}}` (design, API)."""

from typing import Any

import msgspec
from aiohttp import web

from edge_gateway.contracts.errors import MowDeckError


class BadRequestError(MowDeckError):
    """A header is missing or wrong."""

    kind = "bad_request"
    status = 400


class UnauthenticatedError(MowDeckError):
    """The token is missing or wrong."""

    kind = "unauthenticated"
    status = 401


class NoSuchMethodError(MowDeckError):
    """The path exists, but not with this method."""

    kind = "no_such_method"
    status = 405


class RequestTimeoutError(MowDeckError):
    """The request did not arrive whole in time; nothing was done."""

    kind = "request_timeout"
    status = 408


class TooLargeError(MowDeckError):
    """The body is longer than what is allowed."""

    kind = "too_large"
    status = 413


class ErrorBody(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is wrong and what can be done about it."""

    code: str
    """What is wrong, for programs; never changed once published."""
    detail: str
    """One sentence for a person."""
    field: str | None = None
    """The field, query parameter or header that is wrong; a path inside a body: `recurrence.days`."""
    values: dict[str, Any] = {}
    """The numbers behind the sentence."""
    remedy: str | None = None
    """What the reader can do about it."""


class ErrorAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The body of every answer with a status of 400 and above."""

    error: ErrorBody


def error_answer(error: MowDeckError) -> web.Response:
    """Return the answer that an error becomes."""
    body = ErrorAnswer(
        error=ErrorBody(
            code=error.code, detail=error.detail, field=error.field, values=error.values, remedy=error.remedy
        )
    )
    answer = web.Response(
        status=error.status, body=msgspec.json.encode(body), content_type="application/json", charset="utf-8"
    )
    if isinstance(error, UnauthenticatedError):
        answer.headers["WWW-Authenticate"] = "Bearer"
    if isinstance(error, NoSuchMethodError):
        answer.headers["Allow"] = ", ".join(error.values.get("allowed", ()))
    return answer
