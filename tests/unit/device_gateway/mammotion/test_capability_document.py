"""The page of capabilities is what the providers say, and what they say is what Telemetry counts with."""

from pathlib import Path

from edge_gateway.capability_document import capabilities_document
from edge_gateway.contracts.state_intervals import maximum_state_interval_seconds
from edge_gateway.device_gateway.mammotion import model_catalogue
from edge_gateway.device_gateway.mammotion.capabilities import capabilities_of
from edge_gateway.telemetry.settings import TelemetrySettings

PAGE = Path(__file__).parents[4] / "docs" / "capabilities.md"


def test_the_page_is_what_the_providers_say() -> None:
    fresh = capabilities_document()
    assert PAGE.read_text() == fresh, "run: python -m edge_gateway.capability_document > docs/capabilities.md"


def test_every_model_of_the_library_is_on_it_and_base_stations_are_not() -> None:
    names = [model.name for model in model_catalogue.models()]
    assert {"Luba 1", "Luba VP", "Yuka Mini 2", "MN101"} <= set(names)
    assert not {name for name in names if "RTK" in name or "Spino" in name}
    assert len(names) == len(set(names))


def test_a_model_of_the_catalogue_can_what_its_driver_says() -> None:
    for model in model_catalogue.models():
        keys = {setting.key for setting in model.capabilities.job_settings}
        assert {setting.key for setting in capabilities_of("Luba-VP0000", None).job_settings} - keys == set()


def test_a_report_speaks_for_as_long_in_telemetry_as_its_provider_says() -> None:
    caps = TelemetrySettings().interval_caps
    told = capabilities_of("Luba-VP0000", None).maximum_state_interval_seconds
    assert caps.by_provider["mammotion"].total_seconds() == told == maximum_state_interval_seconds("mammotion")
    assert caps.default.total_seconds() == maximum_state_interval_seconds("simulator")
