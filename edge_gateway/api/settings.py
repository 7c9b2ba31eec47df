"""The API's settings."""

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


class ApiSettings(BaseSettings):
    """Where the API listens and what it allows."""

    model_config = SettingsConfigDict(env_prefix="MOWDECK_API_", frozen=True)

    host: str = Field(
        default="127.0.0.1",
        min_length=1,
        description="The address that the API listens on. The token is the only guard: keep it inside the house.",
    )
    port: int = Field(
        default=8765,
        ge=0,
        le=65535,
        description="The port that the API listens on; 0 picks a free one. It is written to the file `port`.",
    )
    gateway_name: str = Field(
        default="MowDeck", min_length=1, max_length=100, description="The name that the gateway shows itself under."
    )
    body_limit_bytes: int = Field(
        default=262_144, ge=1024, le=16_777_216, description="The longest body of a request, in bytes."
    )
    request_timeout_seconds: float = Field(
        default=30.0, ge=0.1, le=300.0, description="How long a request may take altogether."
    )
    answer_timeout_seconds: float = Field(
        default=5.0, ge=0.1, le=60.0, description="How long the API waits for the answer of a service."
    )
    login_timeout_seconds: float = Field(
        default=25.0, ge=0.1, le=120.0, description="How long the API waits while a service logs in at a vendor."
    )
    events_kept: int = Field(
        default=4096,
        ge=1,
        le=1_000_000,
        description="How many changes are kept for readers that come back; an older cursor gets a fresh snapshot.",
    )
    events_queue: int = Field(
        default=1024,
        ge=1,
        le=1_000_000,
        description="How many changes may wait for one slow reader before it is dropped.",
    )
    events_readers: int = Field(
        default=64, ge=1, le=10_000, description="How many readers of the events may be connected at once."
    )
    heartbeat_seconds: float = Field(
        default=20.0,
        ge=0.05,
        le=600.0,
        description="How often a reader of the events is pinged; one that stays silent for half as long is dropped.",
    )
    watch_seconds: float = Field(
        default=5.0,
        ge=0.05,
        le=300.0,
        description="How often the services are asked whether they live; two silent rounds make mowers unavailable.",
    )
