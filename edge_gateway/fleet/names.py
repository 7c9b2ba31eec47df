"""What a thing may be called. Pure."""

import unicodedata

from edge_gateway.contracts.errors import InvalidError

LONGEST = 100
"""Characters."""

_FORBIDDEN = frozenset({"Cc", "Cs", "Zl", "Zp"})
"""Control characters, halves of surrogate pairs, line and paragraph separators."""


def check_name(name: str, field: str = "name") -> str:
    """Return the name without blanks around it; raises `InvalidError` naming the field."""
    trimmed = name.strip()
    if not 1 <= len(trimmed) <= LONGEST:
        raise InvalidError(
            "invalid", f"{field} must have 1 to {LONGEST} characters.", field=field, values={"longest": LONGEST}
        )
    if any(unicodedata.category(character) in _FORBIDDEN for character in trimmed):
        raise InvalidError("invalid", f"{field} may not hold control characters or line breaks.", field=field)
    return trimmed
