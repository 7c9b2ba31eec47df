"""The blueprints are ones that Home Assistant takes."""

from pathlib import Path

import pytest
from homeassistant.components.automation.config import AUTOMATION_BLUEPRINT_SCHEMA
from homeassistant.components.blueprint.models import Blueprint
from homeassistant.util.yaml import load_yaml_dict

from custom_components.mowdeck import const

FOLDER = Path(const.__file__).parents[2] / "blueprints" / "automation" / "mowdeck"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.yaml")), ids=lambda path: path.stem)
def test_a_blueprint_is_read(path: Path) -> None:
    blueprint = Blueprint(load_yaml_dict(str(path)), expected_domain="automation", schema=AUTOMATION_BLUEPRINT_SCHEMA)
    assert blueprint.validate() is None
    assert blueprint.inputs


def test_there_are_blueprints() -> None:
    assert len(list(FOLDER.glob("*.yaml"))) == 3
