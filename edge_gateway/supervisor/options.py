"""The app's options as settings of the program. Pure."""

import msgspec

from edge_gateway.contracts.errors import ConfigurationError

FIXED = {
    # The Supervisor's own network; no port of the machine is opened unless its owner opens one.
    "MOWDECK_API_HOST": "0.0.0.0",  # noqa: S104 - see above
    "MOWDECK_API_PORT": "8765",
    "MOWDECK_INGRESS_PORT": "8099",
    "MOWDECK_SUPERVISOR_URL": "http://supervisor",
}
"""What is the same in every app."""

SETTINGS = {
    "log_level": "MOWDECK_LOG_LEVEL",
    "simulated_mowers": "MOWDECK_SIM_MOWERS",
    "weather_provider": "MOWDECK_SCHEDULER_WEATHER_PROVIDER",
    "open_meteo_key": "MOWDECK_SCHEDULER_OPEN_METEO_KEY",
    "database_url": "MOWDECK_DATABASE_URL",
    "nats_url": "MOWDECK_NATS_URL",
}
"""Each option of addon/config.yaml and the setting that it is."""


def read(document: bytes) -> dict[str, str | int]:
    """Return the options of the file that the Supervisor writes.

    Raises `ConfigurationError` (`options_broken`) when it is none.
    """
    try:
        return msgspec.json.decode(document, type=dict[str, str | int])
    except msgspec.DecodeError as error:
        raise ConfigurationError(
            code="options_broken",
            detail=f"The app's options cannot be read: {error}",
            remedy="Save the options on the app's page in Home Assistant once more.",
        ) from error


def settings_of(options: dict[str, str | int]) -> dict[str, str]:
    """Return the variables of the environment that the options stand for; an empty option is one left out.

    Options of another version of the app are passed over: the Supervisor keeps them after an update.
    """
    chosen = {SETTINGS[name]: str(value).strip() for name, value in options.items() if name in SETTINGS}
    return FIXED | {name: value for name, value in chosen.items() if value}
