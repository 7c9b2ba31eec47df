"""Bodies and query parameters into structs; what is wrong is answered with its field."""

import functools
import json
import math
import re
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, NoReturn, TypeAliasType

import msgspec
from msgspec import inspect

from edge_gateway.contracts.errors import InvalidError

_AT = re.compile(r"^(?P<what>.*?)(?: - at `(?P<path>[^`]*)`)?$", re.DOTALL)
_FIELD = re.compile(r"field `(?P<field>[^`]*)`$")
_NUL = "\x00"
_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}")
_EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
_LATEST = datetime(2200, 1, 1, tzinfo=UTC)
_DEEPEST = 32
"""Levels of a body; who walks through one later shall not run out of stack."""


def decode_body[B: msgspec.Struct](body: bytes, body_type: type[B]) -> B:
    """Return a JSON body as a struct; raises `InvalidError` naming the field."""
    if not body:
        raise InvalidError("malformed_json", "The body is empty; a JSON object is needed.", field="body")
    decoded: B = _decode(body, body_type)
    return decoded


def decode_message(text: bytes, message_type: TypeAliasType) -> Any:  # noqa: ANN401  # one of the union's structs
    """Return a message of a WebSocket, one of a union of structs; raises `InvalidError` naming the field."""
    if not text:
        raise InvalidError("malformed_json", "The message is empty; a JSON object is needed.", field="body")
    return _decode(text, message_type)


def decode_query[Q: msgspec.Struct](pairs: Iterable[tuple[str, str]], query_type: type[Q]) -> Q:
    """Return query parameters as a struct; raises `InvalidError` naming the parameter."""
    given: dict[str, str] = {}
    for name, value in pairs:
        if name in given:
            raise InvalidError("invalid", f"The query parameter {name} is given twice.", field=name)
        if _NUL in name or _NUL in value:
            raise InvalidError("invalid", f"The query parameter {name!r} holds a NUL character.", field=name)
        if name in _moments(query_type) and _MOMENT.match(value) is None:
            raise InvalidError("invalid", f"The query parameter {name} must be an RFC 3339 time.", field=name)
        given[name] = value
    try:
        return msgspec.convert(given, query_type, strict=False)
    except msgspec.ValidationError as error:
        _refuse(error)


def as_utc(moment: datetime, field: str) -> datetime:
    """Return an aware time in UTC; raises `InvalidError` outside the years that anything here can mean."""
    try:
        converted = moment.astimezone(UTC)
    except OverflowError:
        converted = None
    if converted is None or not _EARLIEST <= converted < _LATEST:
        raise InvalidError(
            "invalid",
            f"{field} must lie from {_EARLIEST.year} to {_LATEST.year}.",
            field=field,
            values={"given": moment.isoformat()},
        )
    return converted


def _decode(body: bytes, what: Any) -> Any:  # noqa: ANN401  # any type that msgspec knows
    try:
        decoded = msgspec.json.decode(body, type=what)
        _check(_read(body), ())
    except msgspec.ValidationError as error:
        _refuse(error)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        _refuse_what_is_no_number(body)
        raise InvalidError("malformed_json", f"The body is not valid JSON: {error}.", field="body") from error
    except RecursionError as error:
        raise _too_deep() from error
    return decoded


def _read(body: bytes) -> Any:  # noqa: ANN401  # any JSON
    return json.loads(body.decode(), object_pairs_hook=_Object)


def _refuse_what_is_no_number(body: bytes) -> None:
    """Name the field that holds NaN or Infinity, which JSON has no word for and many programs write all the same."""
    try:
        read = _read(body)
    except ValueError, RecursionError:
        return
    _check(read, ())


def _refuse(error: msgspec.ValidationError) -> NoReturn:
    match = _AT.match(str(error))
    what, path = (match["what"], match["path"] or "") if match is not None else (str(error), "")
    steps = [step for step in path.removeprefix("$").split(".") if step]
    named = _FIELD.search(what)
    if named is not None:
        steps.append(named["field"])
    field = ".".join(steps) or "body"
    raise InvalidError("invalid", f"{field}: {what}.", field=field) from error


class _Object(dict[str, Any]):
    """A JSON object that remembers a field that was given twice."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.twice: str | None = None
        if len(self) < len(pairs):
            counted = Counter(name for name, _ in pairs)
            self.twice = counted.most_common(1)[0][0]


def _check(value: Any, path: tuple[str, ...], depth: int = 0) -> None:  # noqa: ANN401  # any JSON
    """Refuse a field that is there twice, what is no number, and a NUL in a text: the database cannot hold one."""
    if depth > _DEEPEST:
        raise _too_deep()
    if isinstance(value, str) and _NUL in value:
        field = ".".join(path)
        raise InvalidError("invalid", f"{field}: a text may not hold a NUL character.", field=field)
    if isinstance(value, float) and not math.isfinite(value):
        field = ".".join(path) or "body"
        raise InvalidError("invalid", f"{field}: {value} is no number.", field=field)
    if isinstance(value, list):
        for index, item in enumerate(value):
            _check(item, (*path[:-1], f"{path[-1] if path else ''}[{index}]"), depth + 1)
    if isinstance(value, _Object):
        if value.twice is not None:
            field = ".".join((*path, value.twice))
            raise InvalidError("invalid", f"{field} is given twice.", field=field)
        for key, item in value.items():
            _check(key, (*path, key.replace(_NUL, "")))
            _check(item, (*path, key), depth + 1)


def _too_deep() -> InvalidError:
    return InvalidError("invalid", f"The body is nested more than {_DEEPEST} levels deep.", field="body")


@functools.cache
def _moments(query_type: type[msgspec.Struct]) -> frozenset[str]:
    """Return the names of the parameters that are times (a lax reader would take plain numbers for them)."""
    described = inspect.type_info(query_type)
    if not isinstance(described, inspect.StructType):
        return frozenset()
    return frozenset(field.encode_name for field in described.fields if _is_moment(field.type))


def _is_moment(described: inspect.Type) -> bool:
    if isinstance(described, inspect.UnionType):
        return any(map(_is_moment, described.types))
    if isinstance(described, inspect.Metadata):
        return _is_moment(described.type)
    return isinstance(described, inspect.DateTimeType)
