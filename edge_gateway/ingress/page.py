"""The page as a whole. Pure: from what was gathered to HTML."""

from edge_gateway.ingress import sections
from edge_gateway.ingress.gathering import Gathered
from edge_gateway.ingress.style import STYLE

_REFRESH_SECONDS = 30


def render(gathered: Gathered) -> str:
    """Return the document: no script, nothing from elsewhere, and it renews itself."""
    columns = (
        sections.mowers(gathered) + sections.accounts(gathered) + sections.bridges(gathered),
        sections.runs(gathered) + sections.weather(gathered) + sections.backup(gathered.backup, gathered.now),
    )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>MowDeck</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="refresh" content="{_REFRESH_SECONDS}"><style>{STYLE}</style></head><body><main>'
        f'<header><h1>MowDeck</h1><span class="soft">{gathered.version} · {gathered.now:%Y-%m-%d %H:%M} UTC</span>'
        "</header>"
        f"{sections.health(gathered)}"
        f'<div class="two">{"".join(f"<div>{column}</div>" for column in columns)}</div>'
        f"{sections.log(gathered.log)}"
        "</main></body></html>"
    )
