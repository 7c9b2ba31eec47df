"""Which refusals of the gateway, and reasons of failed orders, have a text of their own, and which text it is. Pure."""

import re
from typing import Any

from .client.errors import AnsweredError, DeadlineError, RefusedError

CODES = frozenset(
    {
        "bus_unavailable",
        "changed_meanwhile",
        "database_full",
        "database_unavailable",
        "firing",
        "group_in_use",
        "internal",
        "never_due",
        "no_answer",
        "no_next_run",
        "no_responder",
        "not_found",
        "not_ready",
        "target_gone",
        "unavailable",
    }
)
"""Codes of refusals: their texts are `refused_<code>`."""

FIELDS = frozenset({"area_ids", "ends_on", "name", "occurrence", "pattern", "quiet_hours", "until"})
"""Fields that are `invalid` in one way only, as far as people meet it: their texts are `refused_field_<field>`."""

FRAMES = frozenset({"gateway_deadline", "gateway_not_ready", "refused", "refused_field"})
"""Texts of codes that are newer than this integration: the gateway's own sentence stands in them."""

REASONS = frozenset(
    {
        "areas_gone",
        "blade_height_unknown",
        "busy",
        "in_transition",
        "internal",
        "invalid_pattern",
        "lease_lost",
        "map_unknown",
        "mower_in_error",
        "no_area_enabled",
        "no_area_named",
        "no_open_job",
        "not_confirmed",
        "not_mowing",
        "outcome_unknown",
        "refused_by_mower",
        "state_unknown",
        "unavailable",
    }
)
"""Reasons of failed orders: their texts are `order_<reason>`."""


def text_of(error: AnsweredError) -> str:
    """Return the key of the text that says a refusal."""
    field = re.split(r"[.\[]", error.field or "")[0]
    if error.code == "invalid" and field in FIELDS:
        return f"refused_field_{field}"
    if error.code in CODES:
        return f"refused_{error.code}"
    if isinstance(error, DeadlineError):
        return "gateway_deadline"
    if not isinstance(error, RefusedError):
        return "gateway_not_ready"
    return "refused_field" if field else "refused"


def values_of(error: AnsweredError) -> dict[str, str]:
    """Return what the texts of refusals name."""
    named = {"detail": error.sentence, "field": error.field or ""}
    if error.code == "group_in_use":
        schedules: list[Any] = error.values.get("schedules", [])
        named["schedules"] = ", ".join(str(schedule["name"]) for schedule in schedules)
    return named
