"""Open-Meteo over HTTP, against a server of the test's own: the query, the cache, and every way to fail."""

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import structlog

from edge_gateway.scheduler.settings import SchedulerSettings
from edge_gateway.scheduler.weather.open_meteo import ATTRIBUTION, FREE_URL, PLAN_URL, OpenMeteo
from tests.emulators.weather.open_meteo import FakeOpenMeteo

MORNING = datetime(2026, 6, 1, 6, 20, tzinfo=UTC)
HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)
SECOND = timedelta(seconds=1)

type Make = Callable[..., OpenMeteo]


class HeldClock:
    """Shows what it was set to."""

    def __init__(self) -> None:
        """Begin in the morning."""
        self.moment = MORNING

    def now(self) -> datetime:
        """Return the moment."""
        return self.moment


@pytest.fixture
def clock() -> HeldClock:
    return HeldClock()


@pytest.fixture
async def server(clock: HeldClock) -> AsyncIterator[FakeOpenMeteo]:
    server = FakeOpenMeteo(clock)
    await server.start()
    yield server
    await server.stop()


@pytest.fixture
async def make(server: FakeOpenMeteo, clock: HeldClock) -> AsyncIterator[Make]:
    made: list[OpenMeteo] = []

    def make(**settings: Any) -> OpenMeteo:  # noqa: ANN401  # any setting
        weather = OpenMeteo(SchedulerSettings(**{"open_meteo_url": server.url} | settings), clock)
        made.append(weather)
        return weather

    yield make
    for weather in made:
        await weather.close()


async def test_asks_for_what_the_rule_needs_and_nothing_else(server: FakeOpenMeteo, make: Make) -> None:
    forecast = await make().forecast(52.5234, -13.4115)
    assert server.requests == [
        {
            "latitude": "52.52",
            "longitude": "-13.41",
            "hourly": "precipitation,precipitation_probability,rain",
            "past_days": "1",
            "forecast_days": "2",
            "timeformat": "unixtime",
        }
    ]
    assert forecast is not None
    assert (forecast.provider, forecast.fetched_at, forecast.attribution) == ("open_meteo", MORNING, ATTRIBUTION)
    assert "CC BY 4.0" in ATTRIBUTION


async def test_hours_are_normalised_to_their_beginning(server: FakeOpenMeteo, make: Make) -> None:
    nine = MORNING.replace(hour=9, minute=0)
    server.values = {nine: (1.5, 80.0)}
    forecast = await make().forecast(52.5, 13.4)
    assert forecast is not None
    assert [hour.starts_at for hour in forecast.hours if hour.precipitation_mm] == [nine]
    assert [hour.ends_at for hour in forecast.hours if hour.probability_percent == 80.0] == [nine + HOUR]


async def test_a_key_asks_the_plan_s_address_and_is_never_told(server: FakeOpenMeteo, make: Make) -> None:
    weather = make(open_meteo_key="secret-key")
    await weather.forecast(52.5, 13.4)
    assert server.requests[0]["apikey"] == "secret-key"
    await server.stop()
    with structlog.testing.capture_logs() as logs:
        assert await weather.forecast(53.5, 13.4) is None
    assert len(logs) == 1
    assert "secret-key" not in str(logs)


def test_addresses(clock: HeldClock) -> None:
    assert OpenMeteo(SchedulerSettings(), clock).url == f"{FREE_URL}/v1/forecast"
    with_key = SchedulerSettings.model_validate({"open_meteo_key": "k"})
    assert OpenMeteo(with_key, clock).url == f"{PLAN_URL}/v1/forecast"


async def test_one_place_is_asked_for_every_half_hour(server: FakeOpenMeteo, make: Make, clock: HeldClock) -> None:
    weather = make()
    first = await weather.forecast(52.521, 13.411)
    clock.moment += 30 * MINUTE - SECOND
    assert await weather.forecast(52.519, 13.409) == first
    assert len(server.requests) == 1
    clock.moment += SECOND
    renewed = await weather.forecast(52.52, 13.41)
    assert renewed is not None
    assert renewed.fetched_at == clock.moment
    assert len(server.requests) == 2
    await weather.forecast(52.53, 13.41)
    assert len(server.requests) == 3


async def test_a_clock_that_is_set_back_does_not_keep_a_forecast_for_ever(
    server: FakeOpenMeteo, make: Make, clock: HeldClock
) -> None:
    weather = make()
    await weather.forecast(52.5, 13.4)
    clock.moment -= timedelta(days=30)
    await weather.forecast(52.5, 13.4)
    assert len(server.requests) == 2


async def test_one_request_at_a_time(server: FakeOpenMeteo, make: Make) -> None:
    weather = make()
    await asyncio.gather(*(weather.forecast(50.0 + number, 13.4) for number in range(5)))
    assert (len(server.requests), server.at_once) == (5, 1)


async def test_four_that_ask_at_once_for_one_place_are_one_request(server: FakeOpenMeteo, make: Make) -> None:
    weather = make()
    answers = await asyncio.gather(*(weather.forecast(52.5, 13.4) for _ in range(4)))
    assert len(server.requests) == 1
    assert all(answer == answers[0] for answer in answers)


async def test_a_server_that_hangs_is_left_after_the_deadline(server: FakeOpenMeteo, make: Make) -> None:
    server.hanging = asyncio.Event()
    weather = make(open_meteo_deadline_seconds=0.2)
    async with asyncio.timeout(2):
        assert await weather.forecast(52.5, 13.4) is None


def test_the_deadline_is_five_seconds() -> None:
    assert SchedulerSettings().open_meteo_deadline_seconds == 5.0


@pytest.mark.parametrize("body", [b"not json", b"{}", b"\x00" * 100, b"[" * 5000])
async def test_garbage_is_unknown_for_a_minute(
    server: FakeOpenMeteo, make: Make, clock: HeldClock, body: bytes
) -> None:
    server.body = body
    weather = make()
    assert await weather.forecast(52.5, 13.4) is None
    clock.moment += 59 * SECOND
    assert await weather.forecast(52.5, 13.4) is None
    assert len(server.requests) == 1
    server.body = None
    clock.moment += SECOND
    assert await weather.forecast(52.5, 13.4) is not None


async def test_an_answer_without_an_end_is_given_up(server: FakeOpenMeteo, make: Make) -> None:
    server.body = b" " * (2 * 1024 * 1024)
    assert await make().forecast(52.5, 13.4) is None


@pytest.mark.parametrize("status", [301, 400, 404])
async def test_another_answer_is_a_failure_of_a_minute(
    server: FakeOpenMeteo, make: Make, clock: HeldClock, status: int
) -> None:
    server.status = status
    weather = make()
    for _ in range(3):
        assert await weather.forecast(52.5, 13.4) is None
        clock.moment += 60 * SECOND
    assert len(server.requests) == 3


@pytest.mark.parametrize("status", [429, 500, 502, 503])
async def test_a_service_that_refuses_is_asked_less_and_less_often(
    server: FakeOpenMeteo, make: Make, clock: HeldClock, status: int
) -> None:
    server.status = status
    weather = make()
    begun_at = clock.moment
    asked_at: list[int] = []
    while clock.moment < begun_at + 3 * HOUR:
        count = len(server.requests)
        assert await weather.forecast(52.5, 13.4) is None
        if len(server.requests) > count:
            asked_at.append(int((clock.moment - begun_at) / MINUTE))
        clock.moment += MINUTE
    assert asked_at == [0, 1, 3, 7, 15, 31, 61, 91, 121, 151]
    server.status = 200
    clock.moment += 30 * MINUTE
    assert await weather.forecast(52.5, 13.4) is not None


async def test_while_it_refuses_other_places_are_not_asked_for_either(
    server: FakeOpenMeteo, make: Make, clock: HeldClock
) -> None:
    server.status = 429
    weather = make()
    await weather.forecast(52.5, 13.4)
    await weather.forecast(48.1, 11.6)
    assert len(server.requests) == 1
    server.status = 200
    clock.moment += 60 * SECOND
    assert await weather.forecast(48.1, 11.6) is not None


async def test_it_waits_as_long_as_it_is_asked_to(server: FakeOpenMeteo, make: Make, clock: HeldClock) -> None:
    server.status = 429
    server.headers = {"Retry-After": "600"}
    weather = make()
    await weather.forecast(52.5, 13.4)
    clock.moment += 599 * SECOND
    await weather.forecast(52.5, 13.4)
    assert len(server.requests) == 1
    clock.moment += SECOND
    await weather.forecast(52.5, 13.4)
    assert len(server.requests) == 2


async def test_partial_hours_are_unknown_where_they_are_missing(server: FakeOpenMeteo, make: Make) -> None:
    server.left_out = 40
    forecast = await make().forecast(52.5, 13.4)
    assert forecast is not None
    known = [hour.precipitation_mm is not None for hour in forecast.hours]
    assert known == [True] * 32 + [False] * 40


async def test_a_connection_that_cannot_be_had_is_unknown(server: FakeOpenMeteo, make: Make) -> None:
    await server.stop()
    assert await make().forecast(52.5, 13.4) is None
