"""Writes docs/settings.md from the settings' classes."""

import inspect
from enum import Enum

from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings

from edge_gateway.setting_limits import describe_limits
from edge_gateway.settings import Settings, variable_name

_HEAD = """\
# Settings

Every setting of the program is a variable of its environment. A value that is not allowed stops the start with the
setting's name, its value and what is allowed; an empty one counts as left out; a variable that begins with `MOWDECK_`
and is none of these is named in a warning.

This page is generated: `mowdeck-edge settings-document > docs/settings.md`.
"""


def settings_document() -> str:
    """Return the page."""
    return "\n".join([_HEAD, *(_section(room, classes) for room, classes in Settings.classes().items())])


def _section(room: str, settings_class: type[BaseSettings]) -> str:
    title = room.replace("_", " ").capitalize()
    rows = [
        f"| `{variable_name(settings_class, name)}` | {_default(field)} | {describe_limits(field)} "
        f"| {_cell(field.description or '')} |"
        for name, field in settings_class.model_fields.items()
    ]
    head = ["| setting | default | allowed | what it does |", "|---|---|---|---|"]
    return "\n".join([f"## {title}", "", inspect.cleandoc(settings_class.__doc__ or ""), "", *head, *rows, ""])


def _default(field: FieldInfo) -> str:
    value = field.get_default(call_default_factory=True, validated_data={})
    match value:
        case None | "" | ():
            return "none"
        case Enum():
            return f"`{value.value}`"
        case bool():
            return f"`{str(value).lower()}`"
        case float():
            return f"`{value:g}`"
        case _:
            return f"`{value}`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
