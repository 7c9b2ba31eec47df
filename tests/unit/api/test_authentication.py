"""Tokens and headers."""

import pytest
from multidict import CIMultiDict

from edge_gateway.api.authentication import (
    VERSION_MAXIMUM,
    VERSION_MINIMUM,
    check_token,
    check_version,
    read_caller,
    read_key,
)
from edge_gateway.api.errors import BadRequestError, UnauthenticatedError
from edge_gateway.contracts.principals import Origin

TOKEN = "a-token-of-a-test"  # noqa: S105  # opens nothing


def headers(**given: str) -> CIMultiDict[str]:
    return CIMultiDict({name.replace("_", "-"): value for name, value in given.items()})


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
def test_the_token_opens(scheme: str) -> None:
    check_token(headers(Authorization=f"{scheme} {TOKEN}"), TOKEN)


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (None, "token_missing"),
        ("", "token_missing"),
        (TOKEN, "token_missing"),
        ("Basic YTpi", "token_missing"),
        ("Bearer ", "token_missing"),
        ("Bearer x", "token_wrong"),
        (f"Bearer {TOKEN}x", "token_wrong"),
        ("Bearer tök\udcff", "token_wrong"),
    ],
)
def test_nothing_else_opens(given: str | None, code: str) -> None:
    with pytest.raises(UnauthenticatedError) as raised:
        check_token(headers() if given is None else headers(Authorization=given), TOKEN)
    assert (raised.value.code, raised.value.field, raised.value.status) == (code, "Authorization", 401)


def test_a_refusal_does_not_tell_the_token() -> None:
    with pytest.raises(UnauthenticatedError) as raised:
        check_token(headers(Authorization="Bearer guess"), TOKEN)
    told = raised.value.reply()
    assert TOKEN not in str(told)
    assert "guess" not in str(told)


def test_a_client_may_say_nothing_of_its_version() -> None:
    check_version(headers())
    for version in (VERSION_MINIMUM, VERSION_MAXIMUM):
        check_version(headers(X_MowDeck_API=str(version)))


def test_a_client_that_is_too_new_is_told_to_update_the_app() -> None:
    with pytest.raises(BadRequestError) as raised:
        check_version(headers(X_MowDeck_API=str(VERSION_MAXIMUM + 1)))
    assert raised.value.code == "api_version_unsupported"
    assert raised.value.values == {"version": VERSION_MAXIMUM + 1, "min": VERSION_MINIMUM, "max": VERSION_MAXIMUM}
    assert raised.value.remedy == "Update the app."


def test_a_client_that_is_too_old_is_told_to_update_the_integration() -> None:
    with pytest.raises(BadRequestError) as raised:
        check_version(headers(X_MowDeck_API=str(VERSION_MINIMUM - 1)))
    assert raised.value.remedy == "Update the integration."


@pytest.mark.parametrize("given", ["", "one", "1.0", "-1", "9999999"])
def test_a_version_that_is_no_number(given: str) -> None:
    with pytest.raises(BadRequestError) as raised:
        check_version(headers(X_MowDeck_API=given))
    assert raised.value.field == "X-MowDeck-API"


def test_the_caller_is_read() -> None:
    caller = read_caller(headers(X_MowDeck_Principal="user:1f-a_b.c", X_MowDeck_Origin="voice"))
    assert (caller.principal, caller.origin, caller.account_id) == ("user:1f-a_b.c", Origin.VOICE, "home")
    assert read_caller(headers(X_MowDeck_Principal="user:owner")).origin is Origin.API


@pytest.mark.parametrize(
    ("principal", "code"),
    [
        (None, "principal_missing"),
        ("", "principal_malformed"),
        ("owner", "principal_malformed"),
        ("user:", "principal_malformed"),
        ("user:a b", "principal_malformed"),
        ("user:" + "a" * 129, "principal_malformed"),
        ("group:a", "principal_malformed"),
        ("user:\udcff", "principal_malformed"),
    ],
)
def test_no_caller_names_the_header(principal: str | None, code: str) -> None:
    with pytest.raises(BadRequestError) as raised:
        read_caller(headers() if principal is None else headers(X_MowDeck_Principal=principal))
    assert (raised.value.code, raised.value.field) == (code, "X-MowDeck-Principal")


@pytest.mark.parametrize("origin", ["", "scheduler", "Dashboard", "elsewhere"])
def test_an_origin_that_nobody_may_name(origin: str) -> None:
    with pytest.raises(BadRequestError) as raised:
        read_caller(headers(X_MowDeck_Principal="user:owner", X_MowDeck_Origin=origin))
    assert raised.value.field == "X-MowDeck-Origin"
    assert "scheduler" not in raised.value.values["allowed"]


@pytest.mark.parametrize("key", ["a", "01JD-x", "a b", "~" * 200])
def test_keys(key: str) -> None:
    assert read_key(headers(Idempotency_Key=key)) == key


@pytest.mark.parametrize("key", [None, "", " ", "a ", "x" * 201, "ä", "a\tb"])
def test_no_keys(key: str | None) -> None:
    with pytest.raises(BadRequestError) as raised:
        read_key(headers() if key is None else headers(Idempotency_Key=key))
    assert raised.value.field == "Idempotency-Key"
