"""The settings of the app's page."""

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


class IngressSettings(BaseSettings):
    """Where the app's page is and who may see it."""

    model_config = SettingsConfigDict(env_prefix="MOWDECK_INGRESS_", frozen=True)

    port: int | None = Field(
        default=None, ge=0, le=65535, description="The port of the app's page; without it there is none. 0 picks one."
    )
    host: str = Field(default="0.0.0.0", min_length=1, description="The address that the page listens on.")  # noqa: S104 - who may see it is decided per request
    allowed: tuple[str, ...] = Field(
        default=("172.30.32.2",),
        min_length=1,
        examples=['["172.30.32.2"]'],
        description="The only addresses that get the page: Home Assistant's own, which has asked who the user is. "
        "The page itself asks for nothing.",
    )
