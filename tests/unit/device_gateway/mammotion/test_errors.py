"""Every error of the library has one of ours, and none of its text gets through."""

import inspect
from types import ModuleType

import aiohttp
import pytest
from aiohttp.client_reqrep import ConnectionKey
from pymammotion.aliyun import exceptions as aliyun
from pymammotion.device.handle import DeviceStateTimeoutError
from pymammotion.http.model.http import UnauthorizedExceptionError
from pymammotion.transport import base

from edge_gateway.contracts.errors import DeadlineError, MowDeckError, UnavailableError, UnsafeError
from edge_gateway.device_gateway.mammotion.errors import translated
from edge_gateway.device_gateway.mammotion.traffic import HeldBackError

SECRET = "s3cr3t"  # noqa: S105  # invented here


def wrapped(outer: Exception, cause: Exception) -> Exception:
    outer.__cause__ = cause
    return outer


def unconnected() -> Exception:
    key = ConnectionKey(
        host=SECRET, port=443, is_ssl=True, ssl=True, proxy=None, proxy_auth=None, proxy_headers_hash=None
    )
    return aiohttp.ClientConnectorError(key, OSError("refused"))


CASES: list[tuple[Exception, type[MowDeckError], str]] = [
    (base.TransportError(SECRET), UnavailableError, "vendor_failed"),
    (base.TransportError(f"mqtt_invoke failed: code=429 msg={SECRET} iot_id=1"), UnavailableError, "rate_limited"),
    (base.TransportError("mqtt_invoke failed: code=500 msg=x iot_id=1"), UnavailableError, "vendor_failed"),
    (base.TransportError("mqtt_invoke failed: code=502 msg=x iot_id=1"), DeadlineError, "outcome_unknown"),
    (base.TransportError("mqtt_invoke failed: code=504 msg=x iot_id=1"), DeadlineError, "outcome_unknown"),
    (base.TransportError("MQTTTransport.send: DNS lookup timed out"), UnavailableError, "vendor_unreachable"),
    (base.TransportRateLimitedError(SECRET), UnavailableError, "rate_limited"),
    (base.AuthError(SECRET), UnavailableError, "account_rejected"),
    (base.ReLoginRequiredError(SECRET, SECRET), UnavailableError, "account_rejected"),
    (base.LoginFailedError(SECRET, SECRET), UnavailableError, "account_rejected"),
    (base.SessionExpiredError(base.TransportType.CLOUD_ALIYUN), UnavailableError, "vendor_failed"),
    (base.CommandTimeoutError(SECRET, 2), DeadlineError, "outcome_unknown"),
    (base.CommandRejectedError(SECRET), UnsafeError, "refused_by_mower"),
    (base.NoTransportAvailableError(SECRET), UnavailableError, "link_lost"),
    (
        wrapped(base.NoTransportAvailableError("x"), base.ReLoginRequiredError("a", "b")),
        UnavailableError,
        "account_rejected",
    ),
    (
        wrapped(base.TransportError("invoke-token refresh failed"), aiohttp.ServerDisconnectedError()),
        DeadlineError,
        "outcome_unknown",
    ),
    (base.ConcurrentRequestError(SECRET), UnavailableError, "busy_with_question"),
    (base.AccountInUseError(SECRET), UnavailableError, "account_in_use"),
    (base.NoBLEAddressKnownError(SECRET), UnavailableError, "link_lost"),
    (base.BLEUnavailableError(SECRET), UnavailableError, "link_lost"),
    (base.SagaInterruptedError(SECRET), UnavailableError, "vendor_failed"),
    (base.SagaFailedError(SECRET, 2), UnavailableError, "silent"),
    (aliyun.AuthRefreshException(SECRET), UnavailableError, "vendor_failed"),
    (aliyun.DeviceOfflineException(50103, SECRET), UnavailableError, "vendor_offline"),
    (aliyun.DeviceUnboundException(29004, SECRET), UnavailableError, "vendor_removed"),
    (aliyun.DeviceRemovedFromAccountError(50101, SECRET), UnavailableError, "vendor_removed"),
    (aliyun.FailedRequestException(SECRET), UnavailableError, "vendor_failed"),
    (aliyun.GatewayTimeoutException(20056, SECRET), DeadlineError, "outcome_unknown"),
    (aliyun.TooManyRequestsException(429, SECRET), UnavailableError, "rate_limited"),
    (aliyun.CloudSetupError(SECRET), UnavailableError, "vendor_failed"),
    (aliyun.LoginException(SECRET), UnavailableError, "vendor_failed"),
    (aliyun.CheckSessionException(SECRET), UnavailableError, "vendor_failed"),
    (UnauthorizedExceptionError(SECRET), UnavailableError, "account_rejected"),
    (DeviceStateTimeoutError(SECRET), UnavailableError, "silent"),
    (HeldBackError(30.0), UnavailableError, "rate_limited"),
    (HeldBackError(None), UnavailableError, "account_rejected"),
    (unconnected(), UnavailableError, "vendor_unreachable"),
    (aiohttp.ServerDisconnectedError(SECRET), DeadlineError, "outcome_unknown"),
    (aiohttp.ClientPayloadError(SECRET), DeadlineError, "outcome_unknown"),
    (TimeoutError(SECRET), DeadlineError, "outcome_unknown"),
    (ConnectionResetError(SECRET), DeadlineError, "outcome_unknown"),
    (KeyError(SECRET), UnavailableError, "vendor_removed"),
    (ValueError(SECRET), UnavailableError, "vendor_failed"),
]


@pytest.mark.parametrize(("error", "kind", "code"), CASES, ids=lambda value: getattr(value, "__name__", None))
def test_the_table(error: Exception, kind: type[MowDeckError], code: str) -> None:
    found = translated(error)
    assert type(found) is kind
    assert found.code == code
    assert SECRET not in f"{found} {found.remedy} {found.values}"
    assert found.remedy or kind is UnsafeError


def test_one_of_ours_stays_as_it_is() -> None:
    ours = UnavailableError("database_unavailable", "The database cannot be reached.")
    assert translated(ours) is ours


@pytest.mark.parametrize("module", [base, aliyun])
def test_no_error_of_the_library_is_missing_from_the_table(module: ModuleType) -> None:
    covered = {type(error) for error, _, _ in CASES}
    theirs = {
        member
        for _, member in inspect.getmembers(module, inspect.isclass)
        if issubclass(member, Exception) and member.__module__ == module.__name__
    }
    assert theirs <= covered
