"""What the documents tell their readers to type: commands, requests, settings of Home Assistant."""

import re
import shlex
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import override

from scripts.set_up.places import ROOT

_FENCE = re.compile(r"^(?P<indent> *)```(?P<language>\w*)\n(?P<text>.*?)^ *```$", re.MULTILINE | re.DOTALL)
_SHELLS = {"console", "sh", "bash", "shell"}
_SPAN = re.compile(r"`([^`\n]+)`")
_COMMAND = re.compile(
    r"(?:[A-Z_]+=\S+ )*(?:scripts/[a-z-]+(?: .*)?|mowdeck-edge .+|(?:\S*/)?python3? .+|\.venv\S* .+|(?:curl|cat) .+)"
)
_ROUTE = re.compile(r"(GET|POST|PUT|PATCH|DELETE) (/[^\s`?]*)")


@dataclass(frozen=True)
class Said:
    """Something that a document says."""

    document: str
    text: str

    @override
    def __str__(self) -> str:
        """Return it as the name of a test."""
        return f"{self.document}: {self.text}"[:120]

    @property
    def words(self) -> list[str]:
        """Its words, as a shell takes them."""
        return shlex.split(self.text, comments=True)


@cache
def texts() -> dict[str, str]:
    """Return the documents that readers are given, by name: not what changed, nor what others wrote."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.md"],  # noqa: S607 - the caller's own
        check=True,
        cwd=ROOT,
        capture_output=True,
        text=True,
    ).stdout
    names = sorted(name for name in listing.split("\0") if name and not name.endswith("CHANGELOG.md"))
    return {name: (ROOT / name).read_text(encoding="utf-8") for name in names}


def blocks(*languages: str) -> Iterator[Said]:
    """Yield the blocks in these languages, without their indent."""
    for name, text in texts().items():
        for fence in _FENCE.finditer(text):
            if fence["language"] in languages:
                lines = (line.removeprefix(fence["indent"]) for line in fence["text"].splitlines())
                yield Said(name, "\n".join(lines))


def commands() -> Iterator[Said]:
    """Yield every command: the lines of shells' blocks, and what stands within a line and begins like one."""
    for block in blocks(*_SHELLS):
        for line in block.text.replace("\\\n", " ").splitlines():
            if line.strip() and not line.lstrip().startswith("#"):
                yield Said(block.document, " ".join(line.split()))
    for name, text in texts().items():
        for span in _SPAN.findall(_FENCE.sub("", text)):
            if _COMMAND.fullmatch(span):
                yield Said(name, span)


def routes() -> Iterator[Said]:
    """Yield every request that is named by its method and path."""
    for name, text in texts().items():
        for method, path in _ROUTE.findall(_FENCE.sub("", text)):
            yield Said(name, f"{method} {path}")
