"""What can go wrong between the client and the gateway."""

import os
from collections.abc import Mapping
from typing import Any, Self

import aiohttp


class ClientError(Exception):
    """The root of the client's errors."""


class UnreachableError(ClientError):
    """No answer came: wrong address, gateway stopped, network broken, or it took too long."""

    @classmethod
    def because_of(cls, error: Exception) -> Self:
        """Say for a person why there was no connection or no answer."""
        if isinstance(error, TimeoutError):
            return cls("It takes too long to answer")
        if isinstance(error, aiohttp.ClientConnectorDNSError):
            return cls(f"No machine is known by the name {error.host}")
        # aiohttp's own sentence repeats the address and shows Python's error; the number of the error says it all.
        if isinstance(error, aiohttp.ClientConnectorError) and error.os_error.errno:
            return cls(os.strerror(error.os_error.errno))
        return cls(str(error) or type(error).__name__)


class AuthenticationError(ClientError):
    """The gateway does not take the token."""


class MalformedError(ClientError):
    """The gateway's answer is not what the API promises; the path of the field is in the sentence."""


class WrongGatewayError(ClientError):
    """Another gateway answers at this address."""


class VersionError(ClientError):
    """Gateway and client have no API version in common."""

    def __init__(self, *, spoken: int, lowest: int, highest: int) -> None:
        """Keep the version that the client speaks and the range that the gateway speaks."""
        super().__init__(f"This integration speaks API version {spoken}, the gateway {lowest} to {highest}")
        self.gateway_is_older = highest < spoken


class AnsweredError(ClientError):
    """The gateway answered with an error: a code for programs and a sentence for a person."""

    def __init__(
        self,
        *,
        status: int,
        code: str,
        detail: str,
        field: str | None = None,
        remedy: str | None = None,
        values: Mapping[str, Any] | None = None,
    ) -> None:
        """Keep the HTTP status and what the error's body says."""
        super().__init__(detail)
        self.status = status
        self.code = code
        self.detail = detail
        self.field = field
        self.remedy = remedy
        self.values = values or {}

    @property
    def sentence(self) -> str:
        """What is wrong and, where the gateway says it, what to do about it."""
        return self.detail if self.remedy is None else f"{self.detail} {self.remedy}"


class RefusedError(AnsweredError):
    """The request is wrong, forbidden or not possible now (HTTP 4xx): asking again changes nothing."""


class UnavailableError(AnsweredError):
    """A part of the gateway does not answer (HTTP 5xx but 504): nothing was done."""


class DeadlineError(AnsweredError):
    """The gateway had no answer in time (HTTP 504): whether it was done is not known."""
