"""Every request of one vendor account passes here: counted, and held back after the cloud said that it is too much.

Accounts were banned for loops of requests, so after a 429 or a failing cloud nothing leaves but a person's own order,
and after a 429 not even that; the wait doubles. A closed account makes no request at all.
"""

import math
import random
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

import aiohttp
from pymammotion.aliyun.exceptions import GatewayTimeoutException, TooManyRequestsException
from pymammotion.transport.base import TransportError

from edge_gateway.contracts.vendor_usage import VendorUsage
from edge_gateway.device_gateway.mammotion import metrics

if TYPE_CHECKING:
    from collections.abc import Iterator

WINDOW_SECONDS = 12 * 3600
SENDS_LIMIT = 600
"""Messages to mowers with older firmware that an account has in a window (the library's number)."""
TOO_MANY = 429
SERVER_FAILED = 500
_REFUSED = 400
_ROOM_SHARE = 0.8
"""From this share of the limit on only persons and running jobs get through to the cloud."""

_kinds = (
    ("/thing/service/invoke", "send"),
    ("/mqtt/auth/jwt", "broker_login"),
    ("/device/wakeup", "wake"),
    ("/device/list", "devices"),
    ("/device/page", "devices"),
    ("/devices/version/check", "firmware"),
    ("/authorization/code", "refresh"),
)
_ASIDE = "firmware"
"""Asked for so seldom that failing is no loop, and nothing hangs on it: the cloud may fail there and work elsewhere."""
_person_waits: ContextVar[bool] = ContextVar("person_waits", default=False)


class HeldBackError(aiohttp.ClientConnectionError, TransportError):
    """A request that we did not make. To the library it is a link that is down: nothing is lost but this request."""

    def __init__(self, retry_in_seconds: float | None) -> None:
        """`retry_in_seconds`: null when the account is closed."""
        super().__init__("held back")
        self.retry_in_seconds = retry_in_seconds


@contextmanager
def a_person_waits() -> Iterator[None]:
    """Mark what is sent inside as an order of a person: a failing cloud does not hold it back, a 429 does."""
    token = _person_waits.set(True)
    try:
        yield
    finally:
        _person_waits.reset(token)


class Traffic:
    """The requests of one vendor account."""

    def __init__(
        self,
        vendor_account_id: str,
        *,
        first_wait_seconds: float,
        longest_wait_seconds: float,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """Back off from `first_wait_seconds`, doubling up to `longest_wait_seconds`, with jitter."""
        self._account = vendor_account_id
        self._first_wait = first_wait_seconds
        self._longest_wait = longest_wait_seconds
        self._monotonic = monotonic
        self._sends: deque[float] = deque()
        self._requests: deque[float] = deque()
        self._closed = False
        self._failures = 0
        self._held_until = 0.0
        self._too_many = False

    @property
    def retry_in_seconds(self) -> float:
        """How long requests are still held back; 0 when they are not."""
        return max(0.0, self._held_until - self._monotonic())

    @property
    def sends_in_window(self) -> int:
        """How many messages to mowers left within the last 12 hours."""
        return self._within_window(self._sends)

    @property
    def requests_in_window(self) -> int:
        """How many requests of any kind left within the last 12 hours."""
        return self._within_window(self._requests)

    @property
    def has_room(self) -> bool:
        """Whether something that nobody waits for may be asked now."""
        return not self._closed and self.retry_in_seconds == 0 and self.sends_in_window < SENDS_LIMIT * _ROOM_SHARE

    def usage(self, *, limited: bool) -> VendorUsage:
        """Return what the owner is shown; `limited`: the vendor's limit holds for some of the mowers."""
        wait = self.retry_in_seconds
        return VendorUsage(
            window_seconds=WINDOW_SECONDS,
            requests=self.requests_in_window,
            used=self.sends_in_window,
            limit=SENDS_LIMIT if limited else None,
            backing_off=self._closed or wait > 0,
            reason="account_rejected" if self._closed else self._reason(wait),
            retry_in_seconds=None if self._closed or wait == 0 else math.ceil(wait),
        )

    def refused_in_the_answer(self) -> None:
        """Hear that an answer that looked well said in its text that it is too much."""
        if self.retry_in_seconds == 0:
            self._failed(too_many=True, asked_for=None)

    def close(self) -> None:
        """Make no request any more."""
        self._closed = True

    def open(self) -> None:
        """Make requests again, after a new login."""
        self._closed = False
        self._succeeded()

    async def __call__(
        self, request: aiohttp.ClientRequest, handler: aiohttp.ClientHandlerType
    ) -> aiohttp.ClientResponse:
        """Let a request through (a middleware of aiohttp's client). Raises `HeldBackError`."""
        kind = _kind(request)
        self._check(kind)
        try:
            response = await handler(request)
        except aiohttp.ClientError, TimeoutError:
            self._count(kind, "unreachable")
            raise
        self._left(kind)
        self._judge(kind, response)
        return response

    @asynccontextmanager
    async def passing(self, kind: str) -> AsyncIterator[None]:
        """Count a request of the older cloud, which the library makes with a client of its own.

        Raises `HeldBackError`; what the request raises is judged and goes on.
        """
        self._check(kind)
        try:
            yield
        except TooManyRequestsException:
            self._left(kind)
            self._count(kind, "rate_limited")
            self._failed(too_many=True, asked_for=None)
            raise
        except GatewayTimeoutException:
            self._left(kind)
            self._count(kind, "failed")
            self._failed(too_many=False, asked_for=None)
            raise
        except TimeoutError, OSError, aiohttp.ClientError:
            self._count(kind, "unreachable")
            self._failed(too_many=False, asked_for=None)
            raise
        except Exception:
            # It answered, about one mower: offline, unbound.
            self._left(kind)
            self._count(kind, "refused")
            raise
        self._left(kind)
        self._count(kind, "ok")
        self._succeeded()

    def _check(self, kind: str) -> None:
        if self._closed:
            self._count(kind, "held_back")
            raise HeldBackError(None)
        wait = self.retry_in_seconds
        if wait > 0 and (self._too_many or not _person_waits.get()):
            self._count(kind, "held_back")
            raise HeldBackError(wait)

    def _judge(self, kind: str, response: aiohttp.ClientResponse) -> None:
        if response.status == TOO_MANY:
            self._count(kind, "rate_limited")
            self._failed(too_many=True, asked_for=_retry_after(response))
        elif response.status >= SERVER_FAILED:
            self._count(kind, "failed")
            if kind != _ASIDE:
                self._failed(too_many=False, asked_for=_retry_after(response))
        else:
            self._count(kind, "refused" if response.status >= _REFUSED else "ok")
            self._succeeded()

    def _reason(self, wait: float) -> str | None:
        if wait == 0:
            return None
        return "rate_limited" if self._too_many else "vendor_failed"

    def _left(self, kind: str) -> None:
        now = self._monotonic()
        self._requests.append(now)
        metrics.REQUESTS_IN_WINDOW.labels(self._account).set(self.requests_in_window)
        if kind == "send":
            self._sends.append(now)
            metrics.SENDS_IN_WINDOW.labels(self._account).set(self.sends_in_window)

    def _within_window(self, moments: deque[float]) -> int:
        oldest = self._monotonic() - WINDOW_SECONDS
        while moments and moments[0] < oldest:
            moments.popleft()
        return len(moments)

    def _failed(self, *, too_many: bool, asked_for: float | None) -> None:
        wait = min(self._first_wait * 2**self._failures, self._longest_wait)
        wait *= random.uniform(0.8, 1.2)  # noqa: S311  # jitter, not a secret
        self._failures += 1
        self._too_many = too_many
        self._held_until = self._monotonic() + max(wait, asked_for or 0.0)
        metrics.BACKING_OFF.labels(self._account).set(1)

    def _succeeded(self) -> None:
        self._failures = 0
        self._held_until = 0.0
        self._too_many = False
        metrics.BACKING_OFF.labels(self._account).set(0)

    def _count(self, kind: str, outcome: str) -> None:
        metrics.REQUESTS.labels(self._account, kind, outcome).inc()


def _kind(request: aiohttp.ClientRequest) -> str:
    path = request.url.path
    if path.endswith("/oauth2/token"):
        return "refresh" if request.url.query.get("grant_type") == "refresh_token" else "login"
    return next((kind for end, kind in _kinds if path.endswith(end)), "other")


def _retry_after(response: aiohttp.ClientResponse) -> float | None:
    value = response.headers.get("Retry-After", "")
    return float(value) if value.isdecimal() else None
