"""The app's options become settings, whoever began it."""

import json
from pathlib import Path

import pytest

from edge_gateway.contracts.errors import ConfigurationError
from edge_gateway.supervisor import launch, options


def test_options_are_settings_and_empty_ones_are_left_out() -> None:
    chosen = options.settings_of({"log_level": "debug", "simulated_mowers": 2, "open_meteo_key": "  ", "gone": "x"})
    assert chosen == options.FIXED | {"MOWDECK_LOG_LEVEL": "debug", "MOWDECK_SIM_MOWERS": "2"}


@pytest.mark.parametrize("document", [b"", b"[]", b'{"log_level": {"a": 1}}'])
def test_options_that_are_none_are_refused(document: bytes) -> None:
    with pytest.raises(ConfigurationError, match="options cannot be read"):
        options.read(document)


def test_the_environment_is_what_was_inherited_and_the_options(tmp_path: Path) -> None:
    inherited = {"SUPERVISOR_TOKEN": "secret", "MOWDECK_LOG_LEVEL": "error"}
    assert launch.environment(inherited, data=tmp_path)["MOWDECK_LOG_LEVEL"] == "error"
    (tmp_path / "options.json").write_text(json.dumps({"log_level": "info"}))
    variables = launch.environment(inherited, data=tmp_path)
    assert variables["MOWDECK_LOG_LEVEL"] == "info"
    assert variables["SUPERVISOR_TOKEN"] == inherited["SUPERVISOR_TOKEN"]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [((), ["run", "--data-dir", "/data/mowdeck"]), (("backup",), ["backup", "--data-dir", "/data/mowdeck"])],
)
def test_a_command_gets_the_apps_data_folder(arguments: tuple[str, ...], expected: list[str]) -> None:
    assert launch.command(arguments)[-3:] == expected
