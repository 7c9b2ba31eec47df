"""The settings of the announcement."""

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


class AnnouncementSettings(BaseSettings):
    """Whether the gateway tells of itself in the network, so that Home Assistant finds it."""

    model_config = SettingsConfigDict(env_prefix="MOWDECK_ANNOUNCEMENT_", frozen=True)

    enabled: bool = Field(
        default=True,
        description="Whether an API that others in the network can reach is announced there (mDNS, `_mowdeck._tcp`): "
        "its address, name, id and versions, never the token. Inside the app the Supervisor tells of it instead.",
    )
