"""The settings of Telemetry."""

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


class TelemetrySettings(BaseSettings):
    """How states are taken in."""

    model_config = SettingsConfigDict(env_prefix="MOWDECK_TELEMETRY_", frozen=True)

    ingest_batch_max: int = Field(
        default=64, ge=1, le=5000, description="How many states one transaction stores at the most."
    )
    ingest_batch_wait_seconds: float = Field(
        default=0.2, ge=0, le=10, description="How long a batch that is not full waits for more states."
    )
