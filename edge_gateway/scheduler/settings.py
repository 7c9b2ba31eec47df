"""The settings of the Scheduler."""

from typing import Literal

from pydantic import Field, SecretStr
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
    quiet_hours_lead_minutes: int = Field(
        default=15,
        ge=0,
        le=180,
        description="So long before a site's quiet hours mowers are sent home, and nothing is started any more.",
    )
    weather_provider: Literal["open_meteo", "home_assistant", "static"] = Field(
        default="open_meteo",
        description="Where forecasts come from, for sites that name no source of their own.",
    )
    static_weather: Literal["dry", "rain", "unknown"] = Field(
        default="dry", description="What the weather provider `static` always answers."
    )
    open_meteo_url: str | None = Field(
        default=None,
        pattern="^https?://",
        examples=["https://customer-api.open-meteo.com"],
        description="Another address for Open-Meteo; without it that of its free service (non-commercial use), "
        "or with a key that of its plans.",
    )
    open_meteo_key: SecretStr | None = Field(default=None, description="The key of a plan of Open-Meteo.")
    open_meteo_deadline_seconds: float = Field(
        default=5.0, gt=0, le=60, description="How long Open-Meteo may take to answer."
    )
