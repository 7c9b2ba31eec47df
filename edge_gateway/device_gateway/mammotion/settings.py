"""The settings of the Mammotion provider."""

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


class MammotionSettings(BaseSettings):
    """How Mammotion mowers are reached over the vendor's cloud."""

    model_config = SettingsConfigDict(env_prefix="MOWDECK_MAMMOTION_", frozen=True)

    cloud_url: str | None = Field(
        default=None,
        pattern=r"^https?://",
        description="Another address for the vendor's login, for an emulated cloud; empty: the vendor's.",
    )
    api_url: str | None = Field(
        default=None,
        pattern=r"^https?://",
        description="Another address for the vendor's API, for an emulated cloud; empty: the vendor's.",
    )
    http_timeout_seconds: float = Field(
        default=20, gt=0, le=120, description="How long one request to the vendor's cloud may take."
    )
    answer_seconds: float = Field(
        default=8, gt=0, le=60, description="How long a mower may take to answer over the cloud."
    )
    confirm_seconds: float = Field(
        default=25, gt=0, le=120, description="How long a mower may take to do what it said yes to."
    )
    connect_seconds: float = Field(
        default=5, ge=0, le=60, description="How long an order waits for a connection that is just coming back."
    )
    order_period_seconds: float = Field(
        default=1, ge=0.25, le=10, description="How often a mower reports while an order is open."
    )
    busy_period_seconds: float = Field(
        default=3, ge=0.25, le=60, description="How often a mower reports while it is out."
    )
    stream_seconds: float = Field(
        default=300, ge=5, le=600, description="How long a mower keeps reporting before it is asked again."
    )
    linger_seconds: float = Field(
        default=60, ge=0, le=600, description="How long a mower keeps reporting often after an order."
    )
    silent_seconds: float = Field(
        default=60,
        gt=0,
        le=3600,
        description="A mower that should report and says nothing for this long is asked, and unavailable after that.",
    )
    poll_idle_seconds: float = Field(
        default=600, gt=0, le=86_400, description="How often a mower that stands somewhere is asked for its state."
    )
    poll_charging_seconds: float = Field(
        default=900, gt=0, le=86_400, description="How often a mower is asked for its state while it charges."
    )
    poll_docked_seconds: float = Field(
        default=3600,
        gt=0,
        le=86_400,
        description="How often a mower is asked for its state while it stands on its dock, full; it may sleep then.",
    )
    retry_seconds: float = Field(
        default=60, gt=0, le=3600, description="The first wait before the vendor's cloud is tried again; it doubles."
    )
    retry_maximum_seconds: float = Field(
        default=1800, gt=0, le=86_400, description="The longest wait before the vendor's cloud is tried again."
    )
    look_for_mowers_seconds: float = Field(
        default=10_800,
        gt=0,
        le=604_800,
        description="How often an account is asked whether it has new mowers or shares; three requests each time.",
    )
    look_for_firmware_seconds: float = Field(
        default=86_400,
        gt=0,
        le=2_592_000,
        description=(
            "How often an account is asked for the newest firmware of its mowers, with a look for new ones at the"
            " earliest; one request each time."
        ),
    )
    map_retry_seconds: float = Field(
        default=600, gt=0, le=86_400, description="How long to wait before a map that did not arrive is read again."
    )
    log_library: bool = Field(
        default=False, description="Let the vendor's library log in detail (states and places, never secrets)."
    )
