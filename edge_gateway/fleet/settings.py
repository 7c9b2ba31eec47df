"""The Fleet's settings."""

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


class FleetSettings(BaseSettings):
    """How orders are handed over and followed up."""

    model_config = SettingsConfigDict(env_prefix="MOWDECK_FLEET_", frozen=True)

    publish_timeout_seconds: float = Field(
        default=3.0,
        ge=0.1,
        le=20.0,
        description="How long an order may take to reach the bus; one that does not is failed and never sent later.",
    )
    sweep_seconds: float = Field(
        default=5.0,
        ge=0.05,
        le=300.0,
        description="How often commands are looked for whose end was never reported.",
    )
    grace_seconds: float = Field(
        default=15.0,
        ge=0.0,
        le=600.0,
        description="How long the report of a command's end may be late before the command is closed without it.",
    )
