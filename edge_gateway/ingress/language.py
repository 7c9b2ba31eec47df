"""The languages of the page: a file of words for each, and which one a browser would like best."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec

FOLDER = Path(__file__).parent / "languages"
DEFAULT = "en"


class FindingWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is wrong and what to do about it: the words that Home Assistant's repairs use."""

    title: str
    remedy: str
    detail: str | None = None
    """The numbers and codes behind it; null: the title says it all."""


class Language(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All words of the page in one language, as its file holds them: plain text with `{names}` in it."""

    page: Mapping[str, str]
    codes: Mapping[str, Mapping[str, str]]
    """Words of codes, by what kind of code it is."""
    findings: Mapping[str, FindingWords]


def available() -> frozenset[str]:
    """Return the tags of the languages there are."""
    return frozenset(path.stem for path in FOLDER.glob("*.json"))


@cache
def read(tag: str) -> Language:
    """Return a language; raises `OSError` where there is none, `msgspec.ValidationError` for a file with mistakes."""
    return msgspec.json.decode((FOLDER / f"{tag}.json").read_bytes(), type=Language)


def chosen(accepted: str) -> str:
    """Return the tag of the best language for an `Accept-Language` header; what is not understood is passed over."""
    wishes: list[tuple[float, str]] = []
    for part in accepted.split(","):
        tag, _, parameter = part.strip().partition(";")
        name, _, weight = parameter.strip().partition("=")
        try:
            quality = float(weight) if name.strip() == "q" else 1.0
        except ValueError:
            continue
        primary = tag.strip().partition("-")[0].lower()
        if quality > 0 and primary in available():
            wishes.append((quality, primary))
    # The first of those wished for alike.
    return max(wishes, key=lambda wish: wish[0], default=(0.0, DEFAULT))[1]
