"""Who calls: the token proves the program, the headers name the person it acts for and from where."""

import hmac
import re
from collections.abc import Mapping

import msgspec
from multidict import MultiMapping

from edge_gateway.api.errors import BadRequestError, UnauthenticatedError
from edge_gateway.contracts.identifiers import ACCOUNT_ID
from edge_gateway.contracts.principals import PRINCIPAL_HEADER, PRINCIPAL_NAME_PATTERN, Origin

ORIGIN_HEADER = "X-MowDeck-Origin"
VERSION_HEADER = "X-MowDeck-API"
KEY_HEADER = "Idempotency-Key"

VERSION_MINIMUM = 1
"""The oldest version of the API that this program still speaks."""
VERSION_MAXIMUM = 1
"""The newest one."""

ORIGINS = tuple(origin for origin in Origin if origin is not Origin.SCHEDULER)
"""What a caller may name; the Scheduler's own keys live under its origin, so nobody else may use it."""

_PRINCIPAL = re.compile(f"(?:user|service):{PRINCIPAL_NAME_PATTERN}")
_KEY = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]{0,198}[\x21-\x7e])?")
_VERSION = re.compile(r"[0-9]{1,6}")

_GIVEN_ONCE = ("Authorization", PRINCIPAL_HEADER, ORIGIN_HEADER, VERSION_HEADER, KEY_HEADER)


class Caller(msgspec.Struct, frozen=True, kw_only=True):
    """For whom a request acts and from where it came."""

    principal: str
    """`user:<id>` or `service:<name>`; whether it is known is the Fleet's to say."""
    origin: Origin
    account_id: str = ACCOUNT_ID


def check_given_once(headers: MultiMapping[str]) -> None:
    """Raise `BadRequestError` when a header that says who calls, or what for, is there twice."""
    for name in _GIVEN_ONCE:
        if len(headers.getall(name, ())) > 1:
            raise BadRequestError("header_repeated", f"The header {name} is given more than once.", field=name)


def check_token(headers: Mapping[str, str], token: str) -> None:
    """Compare the bearer token in constant time; raises `UnauthenticatedError`."""
    scheme, _, given = headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not given.strip():
        raise UnauthenticatedError(
            "token_missing",
            "The request carries no bearer token.",
            field="Authorization",
            remedy="Send the token from the file `token` in the data folder as `Authorization: Bearer <token>`.",
        )
    if not hmac.compare_digest(given.strip().encode("utf-8", "surrogateescape"), token.encode()):
        raise UnauthenticatedError(
            "token_wrong",
            "The bearer token is not the one of this gateway.",
            field="Authorization",
            remedy="Read the token again from the file `token` in the data folder.",
        )


def check_version(headers: Mapping[str, str]) -> None:
    """Compare the client's version of the API with ours; a client that names none is trusted to fit."""
    given = headers.get(VERSION_HEADER)
    if given is None:
        return
    if _VERSION.fullmatch(given) is None:
        raise BadRequestError(
            "api_version_malformed", f"{VERSION_HEADER} must be a whole number.", field=VERSION_HEADER
        )
    version = int(given)
    if VERSION_MINIMUM <= version <= VERSION_MAXIMUM:
        return
    older = version < VERSION_MINIMUM
    raise BadRequestError(
        "api_version_unsupported",
        f"The client speaks version {version} of the API; this gateway speaks {VERSION_MINIMUM} to {VERSION_MAXIMUM}.",
        field=VERSION_HEADER,
        values={"version": version, "min": VERSION_MINIMUM, "max": VERSION_MAXIMUM},
        remedy="Update the integration." if older else "Update the app.",
    )


def read_caller(headers: Mapping[str, str]) -> Caller:
    """Return the caller; raises `BadRequestError` that names the header."""
    principal = headers.get(PRINCIPAL_HEADER)
    if principal is None:
        raise BadRequestError(
            "principal_missing",
            f"The header {PRINCIPAL_HEADER} is missing.",
            field=PRINCIPAL_HEADER,
            remedy="Name the person for whom the request acts: `user:<id>`.",
        )
    if _PRINCIPAL.fullmatch(principal) is None:
        raise BadRequestError(
            "principal_malformed",
            f"{PRINCIPAL_HEADER} must look like `user:<id>`, with letters, digits, `_`, `.` and `-`.",
            field=PRINCIPAL_HEADER,
        )
    return Caller(principal=principal, origin=_read_origin(headers))


def _read_origin(headers: Mapping[str, str]) -> Origin:
    given = headers.get(ORIGIN_HEADER)
    if given is None:
        return Origin.API
    for origin in ORIGINS:
        if origin.value == given:
            return origin
    raise BadRequestError(
        "origin_unknown",
        f"{ORIGIN_HEADER} must be one of {', '.join(ORIGINS)}.",
        field=ORIGIN_HEADER,
        values={"allowed": list(ORIGINS)},
    )


def read_key(headers: Mapping[str, str]) -> str:
    """Return the idempotency key of a request that orders something; raises `BadRequestError`."""
    key = headers.get(KEY_HEADER)
    if key is None:
        raise BadRequestError(
            "key_missing",
            f"The header {KEY_HEADER} is missing.",
            field=KEY_HEADER,
            remedy="Send a key of your own with each order, and the same one again when you repeat the request.",
        )
    if _KEY.fullmatch(key) is None:
        raise BadRequestError(
            "key_malformed", f"{KEY_HEADER} must be 1 to 200 printable ASCII characters.", field=KEY_HEADER
        )
    return key
