"""Which services run, and in which order."""

import pytest

from edge_gateway import composition
from edge_gateway.contracts.errors import ConfigurationError

ORDER = ["fleet", "telemetry", "notifications", "scheduler", "device_gateway", "api"]


def test_without_a_choice_all_run_and_the_api_comes_last() -> None:
    assert composition.chosen(None) == ORDER


@pytest.mark.parametrize("names", ["api,fleet", " api , fleet ", "fleet,api,fleet", ",fleet,,api"])
def test_the_order_is_ours_however_they_are_named(names: str) -> None:
    assert composition.chosen(names) == ["fleet", "api"]


@pytest.mark.parametrize("names", ["", ",", " ", "Fleet", "fleet;api", "weather"])
def test_what_there_is_not_is_refused_with_what_there_is(names: str) -> None:
    with pytest.raises(ConfigurationError) as refused:
        composition.chosen(names)
    assert refused.value.field == "--services"
    assert "telemetry" in (refused.value.remedy or "")
