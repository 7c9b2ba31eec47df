"""Sessions are handed on as they are: what changes one stands only where it is known to be given back."""

import re
from pathlib import Path

import edge_gateway

_FOLDER = Path(edge_gateway.__file__).parent
_CHANGES_A_SESSION = re.compile(
    r"pg_(try_)?advisory_lock(_shared)?\b|add_listener\(|\bLISTEN \w|\bCREATE TEMP|\bSET SESSION\b|set_config\("
    r"|[\"';]\s*SET (?!LOCAL\b)\w+ (=|TO) |WITH HOLD",
)
_GIVES_BACK = {
    # Ends its connection when it cannot give lock and subscription back.
    "bus/outbox.py",
    # Has a connection of its own.
    "database/migrations.py",
}


def test_only_these_change_a_session() -> None:
    found = {
        str(path.relative_to(_FOLDER)) for path in _FOLDER.rglob("*.py") if _CHANGES_A_SESSION.search(path.read_text())
    }
    assert found == _GIVES_BACK
