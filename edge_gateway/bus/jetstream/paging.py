"""Answers over 512 KiB in pages. Pure."""

from collections.abc import Mapping

from edge_gateway.bus.limits import PAGE_BYTES
from edge_gateway.bus.questions import Answer

ERROR_HEADER = "MowDeck-Error"
PAGE_HEADER = "MowDeck-Page"
"""`<number from 1>/<pages>`."""


def pages(answer: Answer) -> list[tuple[bytes, dict[str, str]]]:
    """Return the messages that an answer travels in: data and headers of each."""
    starts = range(0, max(1, len(answer.data)), PAGE_BYTES)
    error = {ERROR_HEADER: "1"} if answer.error else {}
    return [
        (answer.data[start : start + PAGE_BYTES], {PAGE_HEADER: f"{number}/{len(starts)}", **error})
        for number, start in enumerate(starts, start=1)
    ]


class Assembly:
    """Puts the pages of one answer together."""

    def __init__(self) -> None:
        """Start with none."""
        self._pages: dict[int, bytes] = {}

    def add(self, data: bytes, headers: Mapping[str, str]) -> Answer | None:
        """Take a page; return the answer once all are there. Raises `ValueError` when it is no page."""
        number, _, count = headers.get(PAGE_HEADER, "").partition("/")
        self._pages[int(number)] = data
        if len(self._pages) < int(count):
            return None
        whole = b"".join(self._pages[page] for page in sorted(self._pages))
        return Answer(whole, error=ERROR_HEADER in headers)
