"""`/weather`: what the rain rule says at a mower, and what Home Assistant tells of the weather at a site."""

from typing import Annotated

import msgspec

from edge_gateway.api.asking import Services
from edge_gateway.api.bodies import Moment
from edge_gateway.api.decoding import as_utc
from edge_gateway.api.endpoints import AnyEndpoint, Call, Endpoint, NoBody, NoQuery
from edge_gateway.contracts import routes
from edge_gateway.contracts.errors import NotFoundError
from edge_gateway.contracts.schedules import RainSettings
from edge_gateway.contracts.weather import (
    MowerWeather,
    PrecipitationUnit,
    PushedHour,
    PushWeatherRequest,
    RainSensor,
    WeatherRequest,
    WeatherSourceReply,
)

type Percent = Annotated[float, msgspec.Meta(gt=0, le=100)]
type Millimetres = Annotated[float, msgspec.Meta(gt=0, le=100)]
type Hours = Annotated[int, msgspec.Meta(ge=0, le=48)]
type Text = Annotated[str, msgspec.Meta(max_length=255)]


class WeatherQuery(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings to be tried in place of the site's."""

    enabled: bool | None = None
    probability_percent: Percent | None = None
    precipitation_mm: Millimetres | None = None
    lookahead_hours: Hours | None = None
    cooldown_hours: Hours | None = None
    run_when_unknown: bool | None = None


class PushedHourBody(PushedHour, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One hour of a forecast: from `starts_at` on; null is unknown."""

    starts_at: Moment


class RainSensorBody(RainSensor, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a rain sensor says; null while it is unavailable."""

    observed_at: Moment


class WeatherSourceBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The hourly forecast of a weather entity as it is now, and the state of a rain sensor."""

    source: Text | None = None
    """The entity, to be shown."""
    attribution: Text | None = None
    precipitation_unit: PrecipitationUnit | None = None
    """The entity's own; null makes every amount unknown."""
    hours: tuple[PushedHourBody, ...] = ()
    rain_sensor: RainSensorBody | None = None


class Weather:
    """The handlers of `/weather`."""

    def __init__(self, services: Services) -> None:
        """Ask `services`."""
        self._services = services

    def endpoints(self) -> tuple[AnyEndpoint, ...]:
        """Return the routes."""
        return (
            Endpoint(
                method="GET",
                path="/weather/{mower_id}",
                summary="What the rain rule says at a mower now, and why; query parameters try other settings",
                handler=self._get,
                query=WeatherQuery,
                body=NoBody,
                answer=MowerWeather,
                renamed={f"settings.{name}": name for name in WeatherQuery.__struct_fields__},
                raises=(NotFoundError,),
            ),
            Endpoint(
                method="PUT",
                path="/weather/sources/{site_id}",
                summary="Tell the forecast of a weather entity and the state of a rain sensor of a site",
                handler=self._push,
                query=NoQuery,
                body=WeatherSourceBody,
                answer=WeatherSourceReply,
                raises=(NotFoundError,),
            ),
        )

    async def _get(self, call: Call[WeatherQuery, NoBody]) -> MowerWeather:
        settings = RainSettings(**{name: getattr(call.query, name) for name in WeatherQuery.__struct_fields__})
        question = WeatherRequest(**call.asking, mower_id=call.ids["mower_id"], settings=settings)
        return await self._services.ask(routes.WEATHER_GET, question)

    async def _push(self, call: Call[NoQuery, WeatherSourceBody]) -> WeatherSourceReply:
        body = call.body
        sensor = body.rain_sensor
        question = PushWeatherRequest(
            **call.asking,
            site_id=call.ids["site_id"],
            source=body.source,
            attribution=body.attribution,
            precipitation_unit=body.precipitation_unit,
            hours=tuple(
                PushedHour(
                    starts_at=as_utc(hour.starts_at, f"hours[{number}].starts_at"),
                    precipitation=hour.precipitation,
                    probability_percent=hour.probability_percent,
                )
                for number, hour in enumerate(body.hours)
            ),
            rain_sensor=None
            if sensor is None
            else RainSensor(raining=sensor.raining, observed_at=as_utc(sensor.observed_at, "rain_sensor.observed_at")),
        )
        return await self._services.ask(routes.WEATHER_PUSH, question)
