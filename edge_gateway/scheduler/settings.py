"""The settings of the Scheduler."""

from typing import Literal

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


class SchedulerSettings(BaseSettings):
    """When it looks, how long it waits, where its weather comes from."""

    model_config = SettingsConfigDict(env_prefix="MOWDECK_SCHEDULER_", frozen=True)

    tick_seconds: int = Field(
        default=30, ge=1, le=300, description="How often schedules, pending firings and running jobs are looked at."
    )
    confirm_seconds: int = Field(
        default=180,
        ge=1,
        le=3600,
        description="How long after its order a mower may take to be seen moving before the start counts as failed.",
    )
    max_permission_skips: int = Field(
        default=3,
        ge=1,
        le=100,
        description="After so many firings in a row that were skipped for missing rights a schedule is disabled.",
    )
    weather_provider: Literal["open_meteo", "static"] = Field(
        default="open_meteo", description="Where forecasts come from."
    )
    static_weather: Literal["dry", "rain", "unknown"] = Field(
        default="dry", description="What the weather provider `static` always answers."
    )
