"""Encrypts what must not lie readable in the database: logins and keys at vendors."""

import base64
import binascii
import os

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from edge_gateway.contracts.errors import ConfigurationError

KEY_BYTES = 32
_NONCE_BYTES = 12
_VERSION = b"\x01"
"""The first byte of what is sealed; then come a nonce of 12 bytes and the ciphertext with its tag (AES-256-GCM)."""


def new_key() -> str:
    """Return a new key as the text that the file `secret.key` holds."""
    return base64.b64encode(os.urandom(KEY_BYTES)).decode()


class SecretBox:
    """Seals and opens texts with the installation's key."""

    def __init__(self, key: str) -> None:
        """Take the text of the file `secret.key`.

        Raises `ConfigurationError` (`secret_key_broken`) when it is no key.
        """
        try:
            raw = base64.b64decode(key, validate=True)
        except binascii.Error, ValueError:
            raw = b""
        if len(raw) != KEY_BYTES:
            raise ConfigurationError(
                code="secret_key_broken",
                detail="The file secret.key in the data folder holds no key.",
                remedy="Restore it from a backup, or delete it and enter the logins at vendors again.",
            )
        self._cipher = AESGCM(raw)

    def seal(self, text: str, *, purpose: str) -> bytes:
        """Encrypt a text for a place, for example `vendor_account:<id>`: elsewhere it does not open."""
        nonce = os.urandom(_NONCE_BYTES)
        return _VERSION + nonce + self._cipher.encrypt(nonce, text.encode(), _place(_VERSION, purpose))

    def open(self, sealed: bytes, *, purpose: str) -> str:
        """Return the text that was sealed for the place.

        Raises `ConfigurationError` (`secret_unreadable`) when the key is another one, or it was sealed for elsewhere.
        """
        head = len(_VERSION) + _NONCE_BYTES
        nonce, ciphertext = sealed[len(_VERSION) : head], sealed[head:]
        try:
            # Another version's text fails like one of another key.
            return self._cipher.decrypt(nonce, ciphertext, _place(sealed[: len(_VERSION)], purpose)).decode()
        except (InvalidTag, ValueError) as error:
            raise ConfigurationError(
                code="secret_unreadable",
                detail="A stored login was encrypted with another key than the one in the file secret.key.",
                remedy="Restore secret.key together with the database, or enter the login again.",
            ) from error


def _place(version: bytes, purpose: str) -> bytes:
    return version + purpose.encode()
