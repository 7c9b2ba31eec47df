"""The page as a whole. Pure: from what was gathered to HTML."""

from edge_gateway.ingress import sections
from edge_gateway.ingress.gathering import Gathered
from edge_gateway.ingress.language import DEFAULT
from edge_gateway.ingress.reader import Reader
from edge_gateway.ingress.style import STYLE

_REFRESH_SECONDS = 30


def render(gathered: Gathered, tag: str = DEFAULT) -> str:
    """Return the document in a language: no script, nothing from elsewhere, and it renews itself."""
    sites = gathered.lists.get("sites") or []
    reader = Reader(tag, now=gathered.now, zone=sites[0]["time_zone"] if sites else None)
    columns = (
        sections.mowers(gathered, reader) + sections.accounts(gathered, reader) + sections.bridges(gathered, reader),
        sections.runs(gathered, reader) + sections.weather(gathered, reader) + sections.backup(gathered.backup, reader),
    )
    return (
        f'<!doctype html><html lang="{tag}"><head><meta charset="utf-8"><title>MowDeck</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="refresh" content="{_REFRESH_SECONDS}"><style>{STYLE}</style></head><body><main>'
        f'<header><h1>MowDeck</h1><span class="soft">{gathered.version} · {reader.moment(gathered.now)}</span></header>'
        f"{sections.health(gathered, reader)}"
        f'<div class="two">{"".join(f"<div>{column}</div>" for column in columns)}</div>'
        f"{sections.log(gathered.log, reader)}"
        "</main></body></html>"
    )
