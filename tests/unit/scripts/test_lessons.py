"""The lessons name tests: each of them exists."""

import re

import pytest

from scripts.set_up.places import ROOT

LESSONS = ROOT / "docs" / "lessons.md"
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", LESSONS.read_text(encoding="utf-8"))))


@pytest.mark.parametrize(("path", "name"), NAMED)
def test_a_test_that_a_lesson_names_exists(path: str, name: str) -> None:
    assert re.search(rf"^(async )?def {name}\(", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE), path


def test_every_lesson_is_held_by_a_test_or_says_why_by_none() -> None:
    rows = [
        line for line in LESSONS.read_text(encoding="utf-8").splitlines() if re.match(r"\| (?!\||Suffered|---)", line)
    ]
    assert len(rows) > 60
    assert [row for row in rows if "::test_" not in row and "Not tested" not in row] == []
