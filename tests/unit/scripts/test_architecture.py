"""What docs/architecture.md says of the house is there: every file that a walk passes, and every room."""

import re
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[3]
_TEXT = (_ROOT / "docs/architecture.md").read_text(encoding="utf-8")
_FIRST_WALK = _TEXT.index("## Five walks")
_NAMED = sorted(set(re.findall(r"`([a-z_]+(?:/[a-z_]+)*/(?:[a-z_]+\.py)?)`", _TEXT[_FIRST_WALK:])))


@pytest.mark.parametrize("name", _NAMED)
def test_a_file_that_a_walk_passes_is_there(name: str) -> None:
    inside = _ROOT / "edge_gateway" / name
    assert inside.exists() or (_ROOT / name).exists()


def test_every_room_of_the_gateway_is_in_the_list_of_rooms() -> None:
    rooms = {path.parent.name for path in (_ROOT / "edge_gateway").glob("*/__init__.py")}
    assert rooms == set(re.findall(r"^\| `edge_gateway/([a-z_]+)/`", _TEXT, flags=re.MULTILINE))


def test_the_walks_name_files() -> None:
    assert len(_NAMED) > 60
