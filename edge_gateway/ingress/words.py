"""Small pieces of the page: escaped text, lists, rows, states. Pure."""

from collections.abc import Iterable
from html import escape
from typing import Any


def text(value: object) -> str:
    """Return a value as text that no browser takes for anything else; null: a dash."""
    return "&ndash;" if value is None or value == "" else escape(str(value))


def section(title: str, *content: str) -> str:
    """Return a card of the page."""
    return f"<section><h2>{title}</h2>{''.join(content)}</section>"


def items(rows: Iterable[str], *, empty: str) -> str:
    """Return a list, or a sentence when there is nothing in it."""
    lines = "".join(f"<li>{row}</li>" for row in rows)
    return f"<ul>{lines}</ul>" if lines else f'<p class="soft">{empty}</p>'


def row(left: str, right: str = "", below: str = "") -> str:
    """Return a line with something at its right, and softer words below."""
    under = f'<div class="soft">{below}</div>' if below else ""
    return f'<div class="row"><span>{left}</span><span class="right">{right}</span></div>{under}'


def state(word: str, kind: str) -> str:
    """Return a word in the colour of its kind: good, warn or bad."""
    return f'<span class="{kind}">{word}</span>'


def dot(kind: str) -> str:
    """Return a mark in the colour of its kind; the words beside it say what it means."""
    return state("●", kind)


def names(listed: list[dict[str, Any]] | None) -> dict[str, str]:
    """Return the names of what a list holds, by id."""
    return {item["id"]: item["name"] for item in listed or []}
