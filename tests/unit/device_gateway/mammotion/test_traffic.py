"""Requests are counted, and held back after the cloud said that it is too much."""

import time
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest
from pymammotion.aliyun.exceptions import DeviceOfflineException, GatewayTimeoutException, TooManyRequestsException
from yarl import URL

from edge_gateway.device_gateway.mammotion.older_cloud import count_requests
from edge_gateway.device_gateway.mammotion.traffic import (
    SENDS_LIMIT,
    WINDOW_SECONDS,
    HeldBackError,
    Traffic,
    a_person_waits,
)


class Request:
    """A request, as much as the middleware looks at."""

    def __init__(self, path: str) -> None:
        """Ask for this path."""
        self.url = URL(f"https://cloud.example{path}")


class Response:
    """An answer, as much as the middleware looks at."""

    def __init__(self, status: int, headers: dict[str, str] | None = None) -> None:
        """Answer with this."""
        self.status = status
        self.headers = headers or {}


class Cloud:
    """Answers with one status, and counts."""

    def __init__(self) -> None:
        """Answer well."""
        self.status = 200
        self.headers: dict[str, str] = {}
        self.asked = 0
        self.now = 1000.0
        self.traffic = Traffic("account", first_wait_seconds=60, longest_wait_seconds=600, monotonic=lambda: self.now)

    async def ask(self, path: str = "/v1/mqtt/rpc/thing/service/invoke") -> None:
        """Make a request through the middleware."""
        middleware: Callable[[Any, Any], Awaitable[Any]] = self.traffic
        await middleware(Request(path), self._answer)

    async def _answer(self, request: Request) -> Response:
        del request
        self.asked += 1
        return Response(self.status, self.headers)


@pytest.fixture
def cloud() -> Cloud:
    return Cloud()


async def held_back(cloud: Cloud) -> float | None:
    before = cloud.asked
    with pytest.raises(HeldBackError) as caught:
        await cloud.ask()
    assert cloud.asked == before
    return caught.value.retry_in_seconds


async def test_too_many_requests_hold_back_even_a_person_s(cloud: Cloud) -> None:
    cloud.status = 429
    await cloud.ask()
    with a_person_waits():
        wait = await held_back(cloud)
    assert wait is not None
    assert 48 <= wait <= 72


async def test_a_failing_cloud_holds_back_all_but_a_person_s(cloud: Cloud) -> None:
    cloud.status = 503
    await cloud.ask()
    await held_back(cloud)
    cloud.status = 200
    with a_person_waits():
        await cloud.ask()
    await cloud.ask()


async def test_the_wait_doubles_up_to_its_limit_and_ends_with_a_success(cloud: Cloud) -> None:
    cloud.status = 500
    waits = []
    for _ in range(6):
        await cloud.ask()
        waits.append(cloud.traffic.retry_in_seconds)
        cloud.now += cloud.traffic.retry_in_seconds + 1
    assert waits[1] > waits[0]
    assert waits[2] > waits[1]
    assert max(waits) <= 600 * 1.2
    cloud.status = 200
    await cloud.ask()
    assert cloud.traffic.retry_in_seconds == 0


async def test_the_cloud_s_own_wait_counts_when_it_is_longer(cloud: Cloud) -> None:
    cloud.status, cloud.headers = 429, {"Retry-After": "3600"}
    await cloud.ask()
    assert cloud.traffic.retry_in_seconds == pytest.approx(3600)


async def test_a_closed_account_asks_nothing(cloud: Cloud) -> None:
    cloud.traffic.close()
    with a_person_waits():
        assert await held_back(cloud) is None
    cloud.traffic.open()
    await cloud.ask()


async def test_sends_are_counted_for_twelve_hours(cloud: Cloud) -> None:
    await cloud.ask()
    await cloud.ask("/device-server/v1/device/list")
    cloud.now += WINDOW_SECONDS / 2
    await cloud.ask()
    assert cloud.traffic.sends_in_window == 2
    cloud.now += WINDOW_SECONDS / 2 + 1
    assert cloud.traffic.sends_in_window == 1


async def test_the_older_cloud_s_requests_pass_here_too(cloud: Cloud) -> None:
    async with cloud.traffic.passing("send"):
        pass
    assert cloud.traffic.usage(limited=True).used == 1
    with pytest.raises(TooManyRequestsException):
        async with cloud.traffic.passing("send"):
            raise TooManyRequestsException("too many", "iot")
    usage = cloud.traffic.usage(limited=True)
    assert (usage.used, usage.limit, usage.backing_off, usage.reason) == (2, 600, True, "rate_limited")
    with a_person_waits(), pytest.raises(HeldBackError):
        async with cloud.traffic.passing("send"):
            raise AssertionError("it was let through")


async def test_the_older_cloud_failing_holds_back_all_but_a_person_s(cloud: Cloud) -> None:
    with pytest.raises(GatewayTimeoutException):
        async with cloud.traffic.passing("send"):
            raise GatewayTimeoutException(20056, "iot")
    assert cloud.traffic.usage(limited=False).reason == "vendor_failed"
    with pytest.raises(HeldBackError):
        async with cloud.traffic.passing("send"):
            raise AssertionError("it was let through")
    with a_person_waits():
        async with cloud.traffic.passing("send"):
            pass
    assert not cloud.traffic.usage(limited=False).backing_off


async def test_an_older_mower_that_is_offline_says_nothing_about_the_cloud(cloud: Cloud) -> None:
    with pytest.raises(DeviceOfflineException):
        async with cloud.traffic.passing("send"):
            raise DeviceOfflineException(6205, "iot")
    assert not cloud.traffic.usage(limited=False).backing_off


class Gateway:
    """As much of the older cloud as is counted."""

    def __init__(self, *, issued_at: float) -> None:
        """Have a token of this Unix time, good for 20 hours."""
        self._iot_token_issued_at = issued_at
        self.renewals = 0
        session = SimpleNamespace(iotTokenExpire=72_000)
        self.session_by_authcode_response = SimpleNamespace(data=session)

    def __getattr__(self, name: str) -> Callable[..., Awaitable[str]]:
        """Answer any request with its name."""

        async def answer(*_: object) -> str:
            return name

        return answer

    async def check_or_refresh_session(self, *, force: bool = False) -> None:
        """Renew the token."""
        del force
        self.renewals += 1


async def test_requests_of_the_library_s_older_client_are_counted(cloud: Cloud) -> None:
    gateway = cast("Any", Gateway(issued_at=time.time()))
    count_requests(gateway, cloud.traffic)
    count_requests(gateway, cloud.traffic)
    assert await gateway.send_cloud_command("iot", b"") == "send_cloud_command"
    for name in ("get_region", "connect", "login_by_oauth", "aep_handle", "session_by_auth_code"):
        assert await getattr(gateway, name)() == name
    assert await gateway.list_binding_by_account() == "list_binding_by_account"
    usage = cloud.traffic.usage(limited=False)
    assert (usage.requests, usage.used) == (7, 1), "the login's five and the list, each once"


async def test_a_token_of_the_older_cloud_counts_when_it_is_renewed_and_not_when_it_is_looked_at(cloud: Cloud) -> None:
    for issued_at, force, requests in (
        (time.time(), False, 0),
        (time.time() - 80_000, False, 1),
        (time.time(), True, 2),
    ):
        gateway = cast("Any", Gateway(issued_at=issued_at))
        count_requests(gateway, cloud.traffic)
        await gateway.check_or_refresh_session(force=force)
        assert cloud.traffic.usage(limited=False).requests == requests
    cloud.traffic.close()
    last = cast("Any", Gateway(issued_at=0))
    count_requests(last, cloud.traffic)
    with pytest.raises(HeldBackError):
        await last.check_or_refresh_session()
    assert last.renewals == 0


async def test_near_the_limit_only_what_matters_gets_through(cloud: Cloud) -> None:
    for _ in range(int(SENDS_LIMIT * 0.8)):
        assert cloud.traffic.has_room
        await cloud.ask()
    assert (cloud.traffic.has_room, cloud.traffic.sends_in_window) == (False, SENDS_LIMIT * 0.8)
    cloud.now += WINDOW_SECONDS + 1
    assert (cloud.traffic.has_room, cloud.traffic.usage(limited=True).used) == (True, 0)


def test_a_closed_account_is_shown_as_held_back_until_the_login(cloud: Cloud) -> None:
    cloud.traffic.close()
    usage = cloud.traffic.usage(limited=True)
    assert (usage.backing_off, usage.reason, usage.retry_in_seconds) == (True, "account_rejected", None)
