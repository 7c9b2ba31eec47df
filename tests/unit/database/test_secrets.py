"""Sealing what must not lie readable in the database."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge_gateway.contracts.errors import ConfigurationError
from edge_gateway.database.secrets import SecretBox, new_key

KEY = new_key()


@given(text=st.text(), purpose=st.text())
def test_what_was_sealed_opens_again(text: str, purpose: str) -> None:
    box = SecretBox(KEY)
    assert box.open(box.seal(text, purpose=purpose), purpose=purpose) == text


def test_it_cannot_be_read_and_never_looks_the_same() -> None:
    box = SecretBox(KEY)
    first, second = (box.seal("correct horse", purpose="account") for _ in range(2))
    assert b"horse" not in first
    assert first != second


def test_it_does_not_open_with_another_key_or_in_another_place_or_changed() -> None:
    sealed = SecretBox(KEY).seal("correct horse", purpose="vendor_account:1")
    changed = bytearray(sealed)
    changed[-1] ^= 1
    for key, purpose, data in (
        (new_key(), "vendor_account:1", sealed),
        (KEY, "vendor_account:2", sealed),
        (KEY, "vendor_account:1", bytes(changed)),
        (KEY, "vendor_account:1", b"\x02" + sealed[1:]),
        (KEY, "vendor_account:1", sealed[:10]),
        (KEY, "vendor_account:1", b""),
    ):
        with pytest.raises(ConfigurationError) as refused:
            SecretBox(key).open(data, purpose=purpose)
        assert refused.value.code == "secret_unreadable"


@pytest.mark.parametrize("key", ["", "no key", base64.b64encode(b"short").decode(), "ä" * 44])
def test_a_broken_key_is_refused(key: str) -> None:
    with pytest.raises(ConfigurationError) as refused:
        SecretBox(key)
    assert refused.value.code == "secret_key_broken"
