"""The settings of the device gateway, and of its simulated mowers."""

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


class DeviceGatewaySettings(BaseSettings):
    """How mowers are driven, whatever their vendor."""

    model_config = SettingsConfigDict(env_prefix="MOWDECK_DEVICE_GATEWAY_", frozen=True)

    confirm_seconds: float = Field(
        default=120,
        gt=0,
        le=120,
        description="How long the mower's state may take to show an order that the mower said yes to; "
        "never longer than two minutes from the order's issue.",
    )
    fresh_seconds: float = Field(
        default=30,
        ge=0,
        le=600,
        description="A state older than this is asked for again before an order is decided.",
    )
    pending_states_max: int = Field(
        default=2000,
        ge=1,
        le=100_000,
        description="How many states of one mower wait at the most while the bus is away; then the oldest are lost.",
    )
    retry_seconds: float = Field(
        default=2,
        gt=0,
        le=60,
        description="How long to wait before trying again: a mower held by another gateway, a fleet that is silent.",
    )


class SimulatorSettings(BaseSettings):
    """The simulated mowers."""

    model_config = SettingsConfigDict(env_prefix="MOWDECK_SIM_", frozen=True)

    mowers: int = Field(default=0, ge=0, le=10_000, description="How many simulated mowers there are; 0 is none.")
    state_period_seconds: float = Field(
        default=0,
        ge=0,
        le=86_400,
        description="The shortest time between two reports of a simulated mower that nothing has happened to; "
        "0 leaves the usual 2 s of a busy mower and 30 s of one at rest. What happens is reported at once.",
    )
    speed: float = Field(
        default=1,
        gt=0,
        le=100_000,
        description="How much faster than a real one a simulated mower lives.",
    )
    seed: int = Field(
        default=1, ge=0, le=2**31, description="What the simulated mowers' first batteries and places are drawn from."
    )
    latitude: float = Field(
        default=51.4779, ge=-85, le=85, description="Where the simulated gardens lie, in degrees north."
    )
    longitude: float = Field(
        default=-0.0014, ge=-180, le=180, description="Where the simulated gardens lie, in degrees east."
    )
