"""The declaration of one route: router and openapi document are both made from a table of these."""

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any, TypedDict

import msgspec

from edge_gateway.api.authentication import KEY_HEADER, Caller
from edge_gateway.contracts.errors import MowDeckError, NotFoundError
from edge_gateway.contracts.identifiers import is_subject_token
from edge_gateway.contracts.principals import PRINCIPAL_HEADER

_PATH_NAME = re.compile(r"\{(\w+)\}")


class NoQuery(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A route without query parameters."""


class NoBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A route without a body."""


class Asking(TypedDict):
    """Who asks, as keywords of a request that acts for a principal."""

    on_behalf_of: str
    account_id: str


class Call[Q: msgspec.Struct, B: msgspec.Struct](msgspec.Struct, frozen=True, kw_only=True):
    """One request, checked and decoded."""

    caller: Caller
    ids: Mapping[str, str]
    """The ids of the path by name."""
    query: Q
    body: B
    key: str
    """The idempotency key of a route that orders something; empty elsewhere."""

    @property
    def asking(self) -> Asking:
        """Who asks, as keywords of a request that acts for a principal."""
        return Asking(on_behalf_of=self.caller.principal, account_id=self.caller.account_id)


class Download:
    """An answer that is a file: it is sent while it is made."""

    def __init__(self, *, content_type: str, file_name: str, chunks: AsyncIterator[bytes]) -> None:
        """Say what it is; whatever `chunks` raises after the first one breaks the answer off."""
        self.content_type = content_type
        self.file_name = file_name
        self.chunks = chunks


type Answer = msgspec.Struct | Download | None


class Endpoint[Q: msgspec.Struct, B: msgspec.Struct](msgspec.Struct, frozen=True, kw_only=True):
    """One route under `/api/v1`."""

    method: str
    path: str
    """Below `/api/v1`, with `{names}` of ids."""
    summary: str
    handler: Callable[[Call[Q, B]], Awaitable[Answer]]
    answer: type[msgspec.Struct] | None
    """Null answers nothing (204), or downloads."""
    downloads: tuple[str, ...] = ()
    """The content types of an answer that is a file."""
    query: type[Q]
    body: type[B]
    body_optional: bool = False
    """An empty body stands for an empty object."""
    status: int = 200
    orders: bool = False
    """It takes an `Idempotency-Key`."""
    any_version: bool = False
    """It is answered to clients of any version of the API, so that they can find out."""
    renamed: Mapping[str, str] = {}
    """What the caller knows under another name: a field of the service's request to one of ours."""
    raises: tuple[type[MowDeckError], ...] = ()
    """What it may answer besides what every route may."""

    @property
    def tag(self) -> str:
        """The topic: the first part of the path."""
        return self.path.split("/")[1]

    def callers_name(self, field: str | None) -> str | None:
        """Return the name under which the caller knows a field of a service's request."""
        if field == "on_behalf_of":
            return PRINCIPAL_HEADER
        if field == "key" and self.orders:
            return KEY_HEADER
        return None if field is None else self.renamed.get(field, field)

    @property
    def path_names(self) -> tuple[str, ...]:
        """The names of the ids in the path."""
        return tuple(_PATH_NAME.findall(self.path))


type AnyEndpoint = Endpoint[Any, Any]


def read_ids(match_info: Mapping[str, str]) -> Mapping[str, str]:
    """Return the ids of the path; one that no id can look like is simply not there."""
    for name, value in match_info.items():
        if not is_subject_token(value):
            noun = name.removesuffix("_id").replace("_", " ")
            raise NotFoundError("not_found", f"There is no such {noun}.", field=name)
    return match_info
