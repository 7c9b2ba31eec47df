"""Every error of the library and of the way to the cloud, as one of ours.

What matters to who ordered is whether the frame can have left: a refusal certainly did not reach the mower, a lost
answer perhaps did. Texts of the library never get through: some hold the account's name, a password or a token.
"""

import re

import aiohttp
from pymammotion.aliyun.exceptions import (
    CloudSetupError,
    DeviceOfflineException,
    DeviceUnboundException,
    FailedRequestException,
    GatewayTimeoutException,
    LoginException,
    TooManyRequestsException,
)
from pymammotion.device.handle import DeviceStateTimeoutError
from pymammotion.http.model.http import UnauthorizedExceptionError
from pymammotion.transport.base import (
    AccountInUseError,
    AuthError,
    BLEUnavailableError,
    CommandRejectedError,
    CommandTimeoutError,
    ConcurrentRequestError,
    NoBLEAddressKnownError,
    NoTransportAvailableError,
    SagaFailedError,
    SessionExpiredError,
    TransportError,
    TransportRateLimitedError,
)

from edge_gateway.contracts.errors import DeadlineError, MowDeckError, UnavailableError, UnsafeError
from edge_gateway.device_gateway.lexicon import refusal_words
from edge_gateway.device_gateway.mammotion.traffic import TOO_MANY, HeldBackError

_CODE = re.compile(r"code=(\d+)")
_GATEWAY_ANSWERS = frozenset({502, 504})
"""A server in between lost the answer; the one behind it may have done the work."""

_SENTENCES = {
    "account_in_use": (
        "Another session, usually the vendor's app, holds the account.",
        "Close the vendor's app, or use a second account with the mower shared to it.",
    ),
    "account_rejected": (
        "The vendor's cloud no longer accepts the login.",
        "Log in to the vendor account again.",
    ),
    "link_lost": ("There is no connection to the mower now.", "Try again when the mower is reachable."),
    "rate_limited": ("The vendor's cloud takes no more requests for a while.", "Wait and try again later."),
    "vendor_failed": ("The vendor's cloud refused the request.", "Try again later."),
    "vendor_offline": ("The vendor's cloud does not reach the mower.", "Check the mower's network and power."),
    "vendor_removed": (
        "The mower is no longer in the vendor account.",
        "Add or share it again in the vendor's app.",
    ),
    "vendor_unreachable": ("The vendor's cloud does not answer.", "Check the internet connection, or try again later."),
    "silent": ("The mower does not answer.", "Try again; bring it into reach of its network."),
    "busy_with_question": ("The same question to the mower is still open.", "Try again in a few seconds."),
}


def unavailable(code: str, **values: object) -> UnavailableError:
    """Return an error for a mower or cloud that is not reached: nothing was sent."""
    detail, remedy = _SENTENCES[code]
    return UnavailableError(code, detail, remedy=remedy, values=dict(values))


def unavailable_account(problem: str | None) -> UnavailableError:
    """Return the error for a mower whose account is of no use now, for this reason (a code)."""
    known = {"account_rejected", "account_in_use", "vendor_removed"}
    return unavailable(problem if problem is not None and problem in known else "vendor_unreachable")


def no_answer() -> DeadlineError:
    """Return the error for a mower that does not tell how it is: nothing that moves it was sent."""
    detail, remedy = _SENTENCES["silent"]
    return DeadlineError("no_answer", detail, remedy=remedy)


def outcome_unknown(**values: object) -> DeadlineError:
    """Return the error for an order that left and was not answered."""
    return DeadlineError(
        "outcome_unknown",
        "The order left, and no answer came: whether the mower does it is not known.",
        remedy="Look at the mower before ordering again.",
        values=dict(values),
    )


def refused(reason: str, **values: object) -> UnsafeError:
    """Return the error for a mower that says no; `reason` is a code of ours."""
    problem = values.get("problem")
    words = refusal_words(reason, problem=problem if isinstance(problem, str) else None)["en"]
    return UnsafeError("refused_by_mower", words.cause, remedy=words.remedy, values={"vendor_reason": reason, **values})


def translated(error: Exception) -> MowDeckError:
    """Return the error of ours that an error of library, HTTP client or system stands for."""
    if isinstance(error, MowDeckError):
        return error
    if isinstance(error, HeldBackError):
        return _held_back(error)
    if (code := _unavailable_code(error)) is not None:
        return unavailable(code)
    if isinstance(error, _LOST_ON_THE_WAY):
        return outcome_unknown()
    return _other(error)


_UNAVAILABLE: tuple[tuple[type[BaseException] | tuple[type[BaseException], ...], str], ...] = (
    (AccountInUseError, "account_in_use"),
    (SessionExpiredError, "vendor_failed"),
    ((AuthError, UnauthorizedExceptionError), "account_rejected"),
    ((TransportRateLimitedError, TooManyRequestsException), "rate_limited"),
    (DeviceOfflineException, "vendor_offline"),
    ((DeviceUnboundException, KeyError), "vendor_removed"),
    ((NoTransportAvailableError, BLEUnavailableError, NoBLEAddressKnownError), "link_lost"),
    (ConcurrentRequestError, "busy_with_question"),
    ((DeviceStateTimeoutError, SagaFailedError), "silent"),
    ((CloudSetupError, LoginException, FailedRequestException), "vendor_failed"),
    # A connection that was never made carried nothing.
    (aiohttp.ClientConnectorError, "vendor_unreachable"),
)
_LOST_ON_THE_WAY = (
    CommandTimeoutError,
    GatewayTimeoutException,
    TimeoutError,
    aiohttp.ClientError,
    ConnectionError,
    OSError,
)


def says_too_many(error: Exception) -> bool:
    """Tell whether an answer that came as a good one (status 200) says that it was too much."""
    found = _CODE.search(str(error)) if type(error) is TransportError else None
    return found is not None and int(found[1]) == TOO_MANY


def _held_back(error: HeldBackError) -> MowDeckError:
    if error.retry_in_seconds is None:
        return unavailable("account_rejected")
    return unavailable("rate_limited", retry_in_seconds=round(error.retry_in_seconds))


def _unavailable_code(error: Exception) -> str | None:
    code = next((code for kind, code in _UNAVAILABLE if isinstance(error, kind)), None)
    if code is not None and isinstance(error.__cause__, AuthError):
        # "No connection", because the login was rejected on the way.
        return "account_rejected"
    return code


def _other(error: Exception) -> MowDeckError:
    if isinstance(error, CommandRejectedError):
        return refused("rejected")
    if isinstance(error, TransportError):
        return _from_code(error)
    return unavailable("vendor_failed")


def _from_code(error: TransportError) -> MowDeckError:
    if isinstance(error.__cause__, Exception):
        # The library wrapped what happened while it renewed the token.
        return translated(error.__cause__)
    found = _CODE.search(str(error))
    if found is None:
        # The library's word for a name that could not be looked up.
        return unavailable("vendor_unreachable" if "DNS" in str(error) else "vendor_failed")
    code = int(found[1])
    if code == TOO_MANY:
        return unavailable("rate_limited")
    if code in _GATEWAY_ANSWERS:
        return outcome_unknown(vendor_code=code)
    return unavailable("vendor_failed", vendor_code=code)
