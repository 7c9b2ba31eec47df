"""Says in words what a setting may be, from its type and limits."""

import types
import typing
from collections.abc import Iterable
from enum import Enum
from pathlib import Path
from typing import Any

import annotated_types
from pydantic import SecretStr
from pydantic.fields import FieldInfo

_WORDS: dict[Any, str] = {int: "a whole number", float: "a number", Path: "a path", str: "a text", SecretStr: "a text"}
_LIST = "a list in JSON"


def describe_limits(field: FieldInfo) -> str:
    """Return what is allowed, as it follows "must be": `a whole number from 0 to 65535`."""
    kind = _without_none(field.annotation)
    if kind is bool:
        return "true or false"
    if choices := _choices(kind):
        return f"one of {', '.join(choices)}"
    words = _WORDS.get(kind, _WORDS.get(typing.get_origin(kind), _LIST))
    limits = _limits(field.metadata, of="items" if words == _LIST else "characters")
    if field.examples:
        return f"{words} like {' or '.join(map(str, field.examples))}{limits}"
    return f"{words}{limits}"


def _without_none(annotation: object) -> object:
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        kinds = [kind for kind in typing.get_args(annotation) if kind is not types.NoneType]
        annotation = kinds[0]
    return typing.get_args(annotation)[0] if typing.get_origin(annotation) is typing.Annotated else annotation


def _choices(kind: object) -> list[str]:
    if typing.get_origin(kind) is typing.Literal:
        return [str(choice) for choice in typing.get_args(kind)]
    if isinstance(kind, type) and issubclass(kind, Enum):
        return [str(member.value) for member in kind]
    return []


def _limits(metadata: Iterable[object], *, of: str) -> str:
    words = {}
    for limit in metadata:
        match limit:
            case annotated_types.Ge():
                words["least"] = f"from {_number(limit.ge)}"
            case annotated_types.Gt():
                words["least"] = f"above {_number(limit.gt)}"
            case annotated_types.Le():
                words["most"] = f"to {_number(limit.le)}"
            case annotated_types.Lt():
                words["most"] = f"below {_number(limit.lt)}"
            case annotated_types.MinLen():
                words["short"] = f"of {limit.min_length}"
            case annotated_types.MaxLen():
                words["long"] = f"{'to' if 'short' in words else 'of at most'} {limit.max_length}"
            case _:  # a rule of our own: the setting's description says what it wants
                continue
    if "short" in words or "long" in words:
        words["what"] = of if "long" in words else f"or more {of}"
    return "".join(f" {part}" for part in words.values())


def _number(value: object) -> str:
    return f"{value:.12g}" if isinstance(value, float) else str(value)
