"""The settings of Telemetry."""

from datetime import timedelta

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

from edge_gateway.contracts.state_intervals import STANDARD_SECONDS, maximum_state_interval_seconds
from edge_gateway.telemetry.repository.directory import IntervalCaps


class TelemetrySettings(BaseSettings):
    """How states are taken in, what they count for, how long they are kept."""

    model_config = SettingsConfigDict(env_prefix="MOWDECK_TELEMETRY_", frozen=True)

    ingest_batch_max: int = Field(
        default=64, ge=1, le=5000, description="How many states one transaction stores at the most."
    )
    ingest_batch_wait_seconds: float = Field(
        default=0.2, ge=0, le=10, description="How long a batch that is not full waits for more states."
    )
    partitions: int = Field(
        default=1,
        ge=1,
        le=64,
        description="Into how many parts the mowers are divided, so that several copies of Telemetry can take states "
        "in side by side. It may be changed only when all states are taken in.",
    )
    interval_cap_seconds: float = Field(
        default=STANDARD_SECONDS,
        ge=1,
        le=3600,
        description="For how long a report speaks at the most when totals are added up.",
    )
    mammotion_interval_cap_seconds: float = Field(
        default=maximum_state_interval_seconds("mammotion"),
        ge=1,
        le=3600,
        description="The same for mowers of Mammotion, whose cloud reports more rarely.",
    )
    blade_life_hours: float = Field(
        default=100.0, gt=0, le=10_000, description="After how many hours of mowing the blades should be changed."
    )
    segment_after_days: int = Field(
        default=7, ge=1, le=3650, description="After how many days positions are packed into segments, thinned."
    )
    segment_point_seconds: float = Field(
        default=15.0, ge=0, le=600, description="In a segment two positions lie at least this far apart in time."
    )
    log_days: int = Field(
        default=90,
        ge=31,
        le=36_500,
        description="How long each single report is kept: whole months are purged when their last day is older.",
    )
    segment_days: int = Field(
        default=1095, ge=31, le=36_500, description="How long the segments of positions are kept."
    )

    @property
    def interval_caps(self) -> IntervalCaps:
        """For how long a state speaks at the most."""
        return IntervalCaps(
            default=timedelta(seconds=self.interval_cap_seconds),
            by_provider={"mammotion": timedelta(seconds=self.mammotion_interval_cap_seconds)},
        )
