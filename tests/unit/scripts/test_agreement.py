"""Lists that have to agree: what is wrong with them is named in full."""

import pytest

from tests.agreement import agree

NAMES = [f"something_with_a_long_name_{number}" for number in range(100)]


def test_everything_that_is_missing_and_everything_that_is_too_much_is_named() -> None:
    agree(set(NAMES), NAMES, "texts")
    with pytest.raises(AssertionError) as missing:
        agree([], NAMES, "texts")
    assert str(missing.value).splitlines()[0] == f"texts: missing: {', '.join(sorted(NAMES))}"
    with pytest.raises(AssertionError, match="texts: missing: b; not needed: a"):
        agree({"a"}, {"b"}, "texts")
