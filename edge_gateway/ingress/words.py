"""Small pieces of the page: escaped text, times as people say them, lists. Pure."""

from collections.abc import Iterable
from datetime import datetime
from html import escape
from typing import Any

_MINUTE, _HOUR, _DAY = 60, 3600, 86400
_MEGABYTE = 1024 * 1024


def text(value: object) -> str:
    """Return a value as text that no browser takes for anything else; null: a dash."""
    return "&ndash;" if value is None or value == "" else escape(str(value))


def moment(value: str | datetime | None) -> datetime | None:
    """Return a time of the API."""
    return datetime.fromisoformat(value) if isinstance(value, str) else value


def ago(value: str | datetime | None, now: datetime) -> str:
    """Return how long a moment is past, or how long it is ahead."""
    at = moment(value)
    if at is None:
        return "never"
    seconds = round((now - at).total_seconds())
    if abs(seconds) < _MINUTE:
        return "just now"
    length = duration(abs(seconds))
    when = f"{length} ago" if seconds > 0 else f"in {length}"
    return f'<time datetime="{escape(at.isoformat())}" title="{at:%Y-%m-%d %H:%M} UTC">{when}</time>'


def duration(seconds: float) -> str:
    """Return a length of time, roughly."""
    for size, unit in ((_DAY, "d"), (_HOUR, "h"), (_MINUTE, "min")):
        if seconds >= size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


def megabytes(count: int) -> str:
    """Return a size."""
    return f"{count / _MEGABYTE:.1f} MB" if count < 10 * _MEGABYTE else f"{count / _MEGABYTE:.0f} MB"


def code(value: object) -> str:
    """Return a code as words."""
    return text(value).replace("_", " ")


def section(title: str, *content: str) -> str:
    """Return a card of the page."""
    return f"<section><h2>{escape(title)}</h2>{''.join(content)}</section>"


def items(rows: Iterable[str], *, empty: str) -> str:
    """Return a list, or a sentence when there is nothing in it."""
    lines = "".join(f"<li>{row}</li>" for row in rows)
    return f"<ul>{lines}</ul>" if lines else f'<p class="soft">{escape(empty)}</p>'


def row(left: str, right: str = "", below: str = "") -> str:
    """Return a line with something at its right, and softer words below."""
    under = f'<div class="soft">{below}</div>' if below else ""
    return f'<div class="row"><span>{left}</span><span>{right}</span></div>{under}'


def state(word: str, kind: str) -> str:
    """Return a word in the colour of its kind: good, warn or bad."""
    return f'<span class="{kind}">{text(word)}</span>'


def names(listed: list[dict[str, Any]] | None) -> dict[str, str]:
    """Return the names of what a list holds, by id."""
    return {item["id"]: item["name"] for item in listed or []}
