"""What no committed file may say."""

import pytest

from scripts.linting.committed_text import complaints_about


@pytest.mark.parametrize(
    "line",
    [
        "see https://pypi.org/project/x",
        "pip install --extra-index-url somewhere",
        '"resolved": "https://registry/x.tgz"',
        "cd /root/.cache",
        "open('/work/main')",
    ],
)
def test_complains(line: str) -> None:
    (complaint,) = complaints_about("page.md", f"fine\n{line}\n".encode())
    assert complaint.startswith("page.md:2: ")


@pytest.mark.parametrize("line", ["./work/x", "https://example.org/work", "a network/root cause", "/workshop"])
def test_is_content(line: str) -> None:
    assert complaints_about("page.md", line.encode()) == []


def test_passes_over_what_is_not_text() -> None:
    assert complaints_about("logo.png", b"\x89PNG\xff /root/") == []


def test_only_source_files_have_a_longest_length() -> None:
    assert complaints_about("program.py", b"\n" * 300) == []
    assert complaints_about("data.csv", b"\n" * 301) == []
    assert complaints_about("program.py", b"\n" * 301) == ["program.py: 301 lines; a file is one thing, in at most 300"]
