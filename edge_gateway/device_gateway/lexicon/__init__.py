"""What is wrong with a mower, in words: per code of ours its severity, and per language cause and remedy.

The codes are independent of the vendor; `problems.json` names the vendors' numbers that each stands for. The words lie
in one file per language, so that a further language is a further file.
"""

from functools import cache
from importlib import resources

import msgspec

from edge_gateway.contracts.problems import ProblemSeverity, ProblemText

LANGUAGES = ("en", "de")
UNKNOWN = "vendor"
"""The words of a code that only the vendor knows."""
UNNAMED = "unknown"
"""The words of a refusal whose reason we do not know."""


class Entry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One code: how bad it is, and which numbers of vendors mean it."""

    severity: ProblemSeverity
    mammotion: tuple[int, ...] = ()


@cache
def entries() -> dict[str, Entry]:
    """Return the codes."""
    return msgspec.json.decode(_read("problems"), type=dict[str, Entry])


@cache
def mammotion_codes() -> dict[int, str]:
    """Return our codes by Mammotion's numbers."""
    return {number: code for code, entry in entries().items() for number in entry.mammotion}


def severity_of(code: str) -> ProblemSeverity:
    """Return how bad it is; what is unknown counts as an error."""
    return entries().get(code, entries()[UNKNOWN]).severity


def words_of(code: str) -> dict[str, ProblemText]:
    """Return cause and remedy by language."""
    return {language: _words(language).get(code) or _words(language)[UNKNOWN] for language in LANGUAGES}


def refusal_words(reason: str | None, *, problem: str | None = None) -> dict[str, ProblemText]:
    """Return by language why a mower refused an order, and what to do.

    `reason`: a code of ours, null when it named none; `problem`: the code of what is wrong with it, when that is why.
    """
    if problem is not None:
        return words_of(problem)
    return {
        language: _refusals(language).get(reason or UNNAMED, _refusals(language)[UNNAMED]) for language in LANGUAGES
    }


@cache
def _refusals(language: str) -> dict[str, ProblemText]:
    return _texts(f"refusals_{language}")


@cache
def _words(language: str) -> dict[str, ProblemText]:
    return _texts(language)


def _texts(name: str) -> dict[str, ProblemText]:
    return msgspec.json.decode(_read(name), type=dict[str, ProblemText])


def _read(name: str) -> bytes:
    return resources.files(__name__).joinpath(f"{name}.json").read_bytes()
