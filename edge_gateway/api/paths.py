"""Where a word stands in one path and an id in another, the word is no id: each path has methods of its own. Pure."""

from collections.abc import Iterable


def pattern(path: str, others: Iterable[str]) -> str:
    """Return the router's pattern of a path such as `/schedules/{schedule_id}`, beside `/schedules/preview`.

    Without it the router would offer the methods of both paths for the one that ends in the word.
    """
    segments = path.split("/")
    words: dict[int, set[str]] = {}
    for other in others:
        found = _only_difference(segments, other.split("/"))
        if found is not None:
            words.setdefault(found[0], set()).add(found[1])
    for number, taken in words.items():
        name = segments[number].strip("{}")
        segments[number] = f"{{{name}:(?!(?:{'|'.join(sorted(taken))})(?:/|$))[^/]+}}"
    return "/".join(segments)


def _only_difference(segments: list[str], other: list[str]) -> tuple[int, str] | None:
    """Return where the other path has a word in place of an id, and the word, when all else is the same."""
    if len(segments) != len(other):
        return None
    differences = [number for number, segment in enumerate(segments) if segment != other[number]]
    if len(differences) != 1:
        return None
    number = differences[0]
    if not segments[number].startswith("{") or other[number].startswith("{"):
        return None
    return number, other[number]
