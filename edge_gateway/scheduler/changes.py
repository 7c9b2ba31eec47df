"""A change of a schedule: only the fields that are present, merged over what is stored."""

from typing import Any

import msgspec

from edge_gateway.bus.questions import field_of
from edge_gateway.contracts.errors import InvalidError
from edge_gateway.contracts.schedules import RainSettings, ScheduleDraft

_FIELDS = frozenset(field.name for field in msgspec.structs.fields(ScheduleDraft))
_RAIN_FIELDS = frozenset(field.name for field in msgspec.structs.fields(RainSettings))


def changed(draft: ScheduleDraft, changes: dict[str, Any]) -> ScheduleDraft:
    """Return the draft with the changes merged in (RFC 7396); raises `InvalidError` with the field.

    Null takes a field's default. A recurrence that names its kind replaces the stored one as a whole: the fields of
    another kind mean nothing in it. A target that is given replaces the stored one too.
    """
    _check_names(changes, _FIELDS)
    if isinstance(rain := changes.get("rain"), dict):
        _check_names(rain, _RAIN_FIELDS, "rain.")
    merged = msgspec.to_builtins(draft)
    for name, value in changes.items():
        _merge(merged, name, value)
    try:
        return msgspec.convert(merged, ScheduleDraft)
    except msgspec.ValidationError as error:
        sentence = f"The change is not valid: {error}."
        raise InvalidError("invalid", sentence, field=field_of(error)) from error


def _check_names(changes: dict[str, Any], allowed: frozenset[str], prefix: str = "") -> None:
    for name in changes:
        if name not in allowed:
            raise InvalidError("invalid", "A schedule has no such field that can be changed.", field=f"{prefix}{name}")


def _merge(stored: dict[str, Any], name: str, value: object) -> None:
    if value is None:
        stored.pop(name, None)
    elif isinstance(value, dict) and isinstance(stored.get(name), dict) and not _replaces(name, value):
        inner = stored[name]
        for key, inner_value in value.items():
            _merge(inner, key, inner_value)
    else:
        stored[name] = value


def _replaces(name: str, value: dict[str, Any]) -> bool:
    return name == "target" or (name == "recurrence" and "kind" in value)
