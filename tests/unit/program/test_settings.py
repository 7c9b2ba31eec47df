"""Settings from the environment, all complaints at once, and the generated page."""

import re
from pathlib import Path

import pytest

from edge_gateway.contracts.errors import ConfigurationError
from edge_gateway.settings import Settings, is_secret, known_variables, unknown_variables, variable_name
from edge_gateway.settings_document import settings_document

PAGE = Path(__file__).parents[3] / "docs" / "settings.md"


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in known_variables():
        monkeypatch.delenv(name, raising=False)


def complaints() -> list[str]:
    with pytest.raises(ConfigurationError) as refused:
        Settings.load()
    return refused.value.detail.splitlines()


def test_the_names_that_the_design_fixed_are_there_with_their_defaults() -> None:
    settings = Settings.load()
    assert (settings.api.host, settings.api.port) == ("127.0.0.1", 8765)
    assert settings.scheduler.tick_seconds == 30
    assert settings.scheduler.weather_provider == "open_meteo"
    assert settings.program.nats_sync_interval_seconds == 5
    assert settings.program.database_url is None
    fixed = {
        "MOWDECK_DATABASE_URL",
        "MOWDECK_NATS_URL",
        "MOWDECK_POSTGRES_BIN",
        "MOWDECK_API_HOST",
        "MOWDECK_API_PORT",
        "MOWDECK_SIM_MOWERS",
        "MOWDECK_SIM_STATE_PERIOD_SECONDS",
        "MOWDECK_SCHEDULER_TICK_SECONDS",
        "MOWDECK_SCHEDULER_WEATHER_PROVIDER",
    }
    assert fixed <= known_variables().keys()


def test_no_name_belongs_to_two_rooms() -> None:
    names = [
        variable_name(settings_class, field)
        for settings_class in Settings.classes().values()
        for field in settings_class.model_fields
    ]
    assert len(names) == len(set(names))


def test_every_setting_is_read_somewhere() -> None:
    program = "\n".join(path.read_text(encoding="utf-8") for path in (PAGE.parents[1] / "edge_gateway").rglob("*.py"))
    for settings_class in Settings.classes().values():
        for field in settings_class.model_fields:
            # What is read stands behind a dot; the declaration itself and its validators do not.
            assert re.search(rf"\.{field}\b", program), variable_name(settings_class, field)


def test_every_setting_has_a_default_and_a_description_and_is_named_as_ours() -> None:
    for name, field in known_variables().items():
        assert name.startswith("MOWDECK_")
        assert not field.is_required(), name
        assert field.description, name
        assert field.description.endswith("."), name


def test_every_number_has_limits() -> None:
    for name, field in known_variables().items():
        if field.annotation in {int, float}:
            limits = {type(limit).__name__ for limit in field.metadata}
            assert limits & {"Ge", "Gt"}, name
            assert limits & {"Le", "Lt"}, name


def test_an_empty_variable_counts_as_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOWDECK_API_PORT", "")
    assert Settings.load().api.port == 8765


def test_all_that_is_wrong_is_said_at_once_with_name_value_and_what_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOWDECK_API_PORT", "-1")
    monkeypatch.setenv("MOWDECK_SCHEDULER_TICK_SECONDS", "soon")
    monkeypatch.setenv("MOWDECK_SCHEDULER_WEATHER_PROVIDER", "frog")
    assert complaints() == [
        "MOWDECK_API_PORT is '-1', and must be a whole number from 0 to 65535.",
        "MOWDECK_SCHEDULER_TICK_SECONDS is 'soon', and must be a whole number from 1 to 300.",
        "MOWDECK_SCHEDULER_WEATHER_PROVIDER is 'frog', and must be one of open_meteo, home_assistant, static.",
    ]


def test_a_list_that_is_none_is_named_with_how_one_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOWDECK_INGRESS_ALLOWED", "172.30.32.2")
    allowed = 'a list in JSON like ["172.30.32.2"] of 1 or more items'
    assert complaints() == [f"MOWDECK_INGRESS_ALLOWED is '172.30.32.2', and must be {allowed}."]


@pytest.mark.parametrize("value", ["nan", "inf", "1e999", "0x10", " "])
def test_strange_numbers_are_refused(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("MOWDECK_NATS_SYNC_INTERVAL_SECONDS", value)
    assert complaints()[0].startswith("MOWDECK_NATS_SYNC_INTERVAL_SECONDS is ")


def test_a_secret_is_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOWDECK_DATABASE_URL", "mysql://user:hush@host/database")
    (complaint,) = complaints()
    assert "hush" not in complaint
    assert "(not shown)" in complaint
    assert "postgresql://" in complaint
    monkeypatch.setenv("MOWDECK_DATABASE_URL", "postgresql://user:hush@host/database")
    assert "hush" not in repr(Settings.load())


def test_addresses_are_secrets() -> None:
    secrets = {name for name, field in known_variables().items() if is_secret(field)}
    assert {"MOWDECK_DATABASE_URL", "MOWDECK_NATS_URL"} <= secrets


def test_unknown_variables_come_with_the_nearest_one(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MOWDECK_API_PROT", "MOWDECK_XYZZY_PLUGH_QQQ", "OTHER_API_PORT", "MOWDECK_API_PORT"):
        monkeypatch.setenv(name, "1")
    found = unknown_variables()
    assert found["MOWDECK_API_PROT"] == "MOWDECK_API_PORT"
    assert "MOWDECK_API_PORT" not in found
    assert "OTHER_API_PORT" not in found
    assert "MOWDECK_XYZZY_PLUGH_QQQ" in found


def test_the_page_is_what_the_settings_say() -> None:
    assert PAGE.read_text() == settings_document(), "run: python -m edge_gateway settings-document > docs/settings.md"
