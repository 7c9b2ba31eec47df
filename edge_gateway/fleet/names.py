"""What a thing may be called. Pure."""

import unicodedata

from edge_gateway.contracts.errors import InvalidError

LONGEST = 100
"""Characters."""

_FORBIDDEN = frozenset({"Cc", "Cs", "Zl", "Zp"})
"""Control characters, halves of surrogate pairs, line and paragraph separators."""
_DIRECTIONS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""They turn around how what stands beside the name is read."""
_UNSEEN = frozenset({"Cf", "Cn", "Co", "Mn", "Me", "Zs"})
"""Alone they show nothing; inside a name they join emoji and carry accents."""


def check_name(name: str, field: str = "name") -> str:
    """Return the name without blanks around it; raises `InvalidError` naming the field."""
    trimmed = name.strip()
    if not 1 <= len(trimmed) <= LONGEST:
        raise InvalidError(
            "invalid", f"{field} must have 1 to {LONGEST} characters.", field=field, values={"longest": LONGEST}
        )
    categories = [unicodedata.category(character) for character in trimmed]
    if not _DIRECTIONS.isdisjoint(trimmed):
        raise InvalidError("invalid", f"{field} may not hold marks of the direction of writing.", field=field)
    if all(category in _UNSEEN for category in categories):
        raise InvalidError("invalid", f"{field} shows nothing.", field=field)
    if not _FORBIDDEN.isdisjoint(categories):
        raise InvalidError("invalid", f"{field} may not hold control characters or line breaks.", field=field)
    return trimmed
