"""Requests are counted, and held back after the cloud said that it is too much."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from yarl import URL

from edge_gateway.device_gateway.mammotion.traffic import WINDOW_SECONDS, HeldBackError, Traffic, a_person_waits


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
