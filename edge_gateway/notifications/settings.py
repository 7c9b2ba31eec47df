"""The settings of Notifications."""

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


class NotificationsSettings(BaseSettings):
    """When something about a mower is worth telling."""

    model_config = SettingsConfigDict(env_prefix="MOWDECK_NOTIFICATIONS_", frozen=True)

    state_batch_max: int = Field(
        default=64, ge=1, le=5000, description="How many states one transaction judges at the most."
    )
    state_batch_wait_seconds: float = Field(
        default=0.2, ge=0, le=10, description="How long a batch that is not full waits for more states."
    )
    tick_seconds: float = Field(
        default=5.0, ge=0.05, le=300, description="How often it is looked whether something has lasted long enough."
    )
    clear_seconds: float = Field(
        default=30.0, ge=0, le=3600, description="How long something must be seen to be over before it counts as ended."
    )
    offline_seconds: float = Field(
        default=300.0, ge=0, le=86400, description="How long a mower must be out of reach before it counts as offline."
    )
    standstill_seconds: float = Field(
        default=600.0,
        ge=60,
        le=86400,
        description="How long a mowing mower must stay on one spot without progress before it counts as stuck.",
    )
    low_battery_percent: int = Field(
        default=10, ge=0, le=90, description="At or below this a battery is low, when the mower is not on its dock."
    )
    geofence_seconds: float = Field(
        default=10.0, ge=0, le=3600, description="How long a mower must be seen outside before the theft alarm."
    )
    geofence_margin_metres: float = Field(
        default=20.0, ge=0, le=1000, description="How far outside the areas of its map a mower still counts as inside."
    )
    resumed_seconds: float = Field(
        default=20.0,
        ge=0,
        le=3600,
        description="How long a mower that was told to stop must mow again, without an order, before it is told.",
    )
