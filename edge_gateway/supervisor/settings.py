"""The settings of the program as an app."""

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


class SupervisorSettings(BaseSettings):
    """How the Supervisor is told where the gateway is. The app sets these; elsewhere nobody needs them."""

    model_config = SettingsConfigDict(env_prefix="MOWDECK_SUPERVISOR_", frozen=True)

    url: str | None = Field(
        default=None,
        pattern="^https?://",
        examples=["http://supervisor"],
        description="The Supervisor's address. With it, and with the variable SUPERVISOR_TOKEN that the Supervisor "
        "gives to its apps, Home Assistant is told where the gateway is and what its token is.",
    )
    host: str | None = Field(
        default=None,
        examples=["local-mowdeck"],
        description="The name under which Home Assistant reaches the gateway; without it this machine's own name.",
    )
    retry_seconds: float = Field(
        default=2.0,
        gt=0,
        le=60,
        description="How long to wait before the Supervisor is told again after it was not ready; "
        "doubled each time, up to five minutes.",
    )
