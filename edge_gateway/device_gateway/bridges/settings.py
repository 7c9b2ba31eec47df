"""The settings of Bluetooth bridges."""

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


class BridgesSettings(BaseSettings):
    """How Bluetooth bridges and the mowers behind them are reached."""

    model_config = SettingsConfigDict(env_prefix="MOWDECK_BRIDGES_", frozen=True)

    silence_seconds: float = Field(
        default=15,
        gt=0,
        le=600,
        description="A bridge over which nothing is heard for this long, though a mower is near, is looked at.",
    )
    check_seconds: float = Field(default=5, gt=0, le=60, description="How often the health of bridges is looked at.")
    meet_seconds: float = Field(
        default=12, gt=0, le=60, description="How long a bridge that is added or changed may take to answer."
    )
    connect_seconds: float = Field(
        default=25, gt=0, le=120, description="How long one connection to a mower may take to be made."
    )
    write_seconds: float = Field(
        default=5,
        gt=0,
        le=30,
        description="How long a bridge may take to hand a message to a mower; after that the connection is given up, "
        "so that nothing arrives late.",
    )
    retry_seconds: float = Field(
        default=5, gt=0, le=600, description="The first wait before a mower is connected again; it doubles."
    )
    retry_maximum_seconds: float = Field(
        default=300, gt=0, le=3600, description="The longest wait before a mower is connected again."
    )
    discover: bool = Field(
        default=True,
        description="Look for bridges in the network (mDNS) when somebody asks which there are; "
        "off where the program sees no network.",
    )
