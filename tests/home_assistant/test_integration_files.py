"""What Home Assistant's own checker would look at: manifest, translations, icons, actions, images, quality scale."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from homeassistant import generated
from homeassistant.components.calendar.const import CalendarEntityStateAttribute
from homeassistant.components.update.const import UpdateEntityStateAttribute
from homeassistant.config_entries import SOURCE_RECONFIGURE, SOURCE_USER
from homeassistant.const import Platform
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import translation
from homeassistant.loader import async_get_integration
from homeassistant.util.yaml import load_yaml_dict
from PIL import Image

from custom_components.mowdeck import condition, failures, refusals, told_errors, trigger
from custom_components.mowdeck.bridge_flow import BY_ADDRESS, CONF_BRIDGE, BridgeFlow
from custom_components.mowdeck.client.command import CommandStatus
from custom_components.mowdeck.client.mower import Activity
from custom_components.mowdeck.client.run import RunOutcome
from custom_components.mowdeck.const import DOMAIN
from custom_components.mowdeck.group_flow import GroupFlow
from custom_components.mowdeck.hub import MowDeckConfigEntry
from custom_components.mowdeck.mirrors import Kind
from custom_components.mowdeck.repairs_of_findings import CODES, MENDED_AT_THE_BRIDGE, OTHER
from custom_components.mowdeck.subentry_flow import NOT_CONNECTED, GatewaySubentryFlow
from custom_components.mowdeck.vendor_account_flow import VendorAccountFlow
from tests.agreement import agree

FOLDER = Path(failures.__file__).parent
LANGUAGES = ("en", "de")


def read(name: str) -> dict[str, Any]:
    """Return a JSON file of the integration."""
    content: dict[str, Any] = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    return content


def leaves(tree: dict[str, Any], path: str = "") -> Iterator[tuple[str, str]]:
    """Return every text of a translation with its path."""
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from leaves(value, f"{path}{key}.")
        else:
            yield f"{path}{key}", value


@pytest.fixture(scope="module")
def english() -> dict[str, Any]:
    return read("translations/en.json")


@pytest.fixture(scope="module")
def actions() -> dict[str, Any]:
    return load_yaml_dict(str(FOLDER / "services.yaml"))


def test_languages_have_the_same_texts_with_the_same_placeholders(english: dict[str, Any]) -> None:
    texts = dict(leaves(english))
    for language in LANGUAGES:
        others = dict(leaves(read(f"translations/{language}.json")))
        agree(others.keys(), texts.keys(), language)
        for path, text in others.items():
            assert text, path
            assert set(re.findall(r"\{\w+\}", text)) == set(re.findall(r"\{\w+\}", texts[path])), path


def test_the_manifest_is_in_order() -> None:
    manifest = read("manifest.json")
    keys = list(manifest)
    assert keys == ["domain", "name", *sorted(keys[2:])]
    assert (manifest["domain"], manifest["requirements"]) == (DOMAIN, [])
    assert manifest["integration_type"] == "hub"
    assert manifest["iot_class"] == "local_push"


@pytest.mark.usefixtures("loaded")
async def test_the_integration_loads_as_what_it_says_it_is(hass: HomeAssistant) -> None:
    integration = await async_get_integration(hass, DOMAIN)
    assert integration.config_flow
    assert str(integration.version) == "0.1.0"


def exception_keys(raised: str, node: ast.Call) -> Iterator[str]:
    """Return the keys of translations that a call of an exception's class, or of a maker of such, names."""
    if raised in {"CalendarRuleError", "_refused"} and isinstance(node.args[0], ast.Constant):
        yield str(node.args[0].value)
    if raised.endswith(("Error", "NotReady", "AuthFailed")):
        for given in node.keywords:
            if given.arg == "translation_key" and isinstance(given.value, ast.Constant):
                yield str(given.value.value)


def test_every_exception_has_a_message_and_every_message_an_exception(english: dict[str, Any]) -> None:
    used: set[str] = {f"order_{reason}" for reason in refusals.REASONS} | refusals.FRAMES
    used |= {f"refused_{code}" for code in refusals.CODES} | {f"refused_field_{field}" for field in refusals.FIELDS}
    used |= {"order_failed", f"order_{CommandStatus.EXPIRED}", *told_errors.Whose}
    for path in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                used |= set(exception_keys(node.func.id, node))
            # `key, detail = "cannot_connect", …`
            of_errors = path.name in {"failures.py", "told_errors.py"}
            if of_errors and isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple):
                first = node.value.elts[0]
                if isinstance(first, ast.Constant) and isinstance(first.value, str):
                    used.add(first.value)
    agree(english["exceptions"], used, "texts of exceptions")


@pytest.mark.usefixtures("loaded")
async def test_every_entity_has_a_name_in_the_translations(
    loaded: MowDeckConfigEntry, entity_registry: er.EntityRegistry, english: dict[str, Any]
) -> None:
    # Where there is Bluetooth.
    used: dict[str, set[str]] = {Platform.SWITCH: {"bluetooth"}}
    for entity in er.async_entries_for_config_entry(entity_registry, loaded.entry_id):
        if entity.translation_key is not None:
            used.setdefault(entity.domain, set()).add(entity.translation_key)
        else:
            assert entity.domain == Platform.LAWN_MOWER
    named = {f"{domain}.{name}" for domain, names in english["entity"].items() for name in names}
    agree(named, {f"{domain}.{name}" for domain, names in used.items() for name in names}, "names of entities")


def test_every_outcome_has_a_text(english: dict[str, Any]) -> None:
    sensors = english["entity"]["sensor"]
    outcomes = {outcome.value for outcome in RunOutcome}
    assert set(sensors["last_outcome"]["state"]) == outcomes - {RunOutcome.UNKNOWN}
    assert set(sensors["last_run"]["state_attributes"]["outcome"]["state"]) == outcomes


@pytest.mark.usefixtures("loaded")
async def test_every_attribute_has_a_name(
    hass: HomeAssistant, loaded: MowDeckConfigEntry, entity_registry: er.EntityRegistry, english: dict[str, Any]
) -> None:
    known = {"attribution", "device_class", "friendly_name", "icon", "options", "state_class", "supported_features"}
    known |= {"access_token", "entity_picture", "max", "min", "mode", "step"}
    known |= {"unit_of_measurement", "event_types", *(each.value for each in CalendarEntityStateAttribute)}
    known |= {each.value for each in UpdateEntityStateAttribute}
    for entity in er.async_entries_for_config_entry(entity_registry, loaded.entry_id):
        if entity.disabled_by is not None:
            continue
        state = hass.states.get(entity.entity_id)
        assert state is not None
        if own := state.attributes.keys() - known:
            nameless = own - english["entity"][entity.domain][entity.translation_key]["state_attributes"].keys()
            assert not nameless, f"{entity.entity_id}: {', '.join(sorted(nameless))}"


def test_every_action_has_texts_and_an_icon(english: dict[str, Any], actions: dict[str, Any]) -> None:
    icons = read("icons.json")["services"]
    agree(english["services"], actions, "texts of actions")
    agree(icons, actions, "icons of actions")
    for name, action in actions.items():
        assert set((action or {}).get("fields", {})) == set(english["services"][name].get("fields", {})), name


@pytest.mark.usefixtures("loaded")
async def test_every_action_that_is_described_is_there(hass: HomeAssistant, actions: dict[str, Any]) -> None:
    agree(actions, hass.services.async_services_for_domain(DOMAIN), "services.yaml")


def test_every_choice_of_an_action_has_a_text(english: dict[str, Any], actions: dict[str, Any]) -> None:
    selector = actions["create_schedule"]["fields"]["days"]["selector"]["select"]
    assert list(english["selector"][selector["translation_key"]]["options"]) == selector["options"]


@pytest.mark.parametrize(
    ("kind", "registered"), [("trigger", set(trigger.TRIGGERS)), ("condition", set(condition.CONDITIONS))]
)
def test_triggers_and_conditions_have_descriptions_texts_and_icons(
    english: dict[str, Any], kind: str, registered: set[str]
) -> None:
    described = load_yaml_dict(str(FOLDER / f"{kind}s.yaml"))
    described = {name: each for name, each in described.items() if not name.startswith(".")}
    assert set(described) == set(english[f"{kind}s"]) == set(read("icons.json")[f"{kind}s"]) == registered
    for name, each in described.items():
        assert set(each.get("fields", {})) == set(english[f"{kind}s"][name].get("fields", {})), name
        assert "mowdeck" in str(each["target"])


def test_every_text_that_is_spoken_is_there_and_every_one_is_spoken(english: dict[str, Any]) -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.py"))
    for key in english["common"]:
        prefix, _, name = key.partition("_")
        assert prefix in {"logbook", "voice"}
        # Those of the logbook are named by what a run did, and one of voice by what a mower does.
        assert (
            f'"{name}"' in source
            or f"('{name}')" in source
            or name in {"started", "failed", *(each.value for each in Activity)}
        ), key
    for name in re.findall(r'say\("(\w+)"', source) + re.findall(r'Answer\(key="(\w+)"', source):
        assert f"voice_{name}" in english["common"], name


def test_every_step_and_reason_of_the_flow_has_texts(english: dict[str, Any]) -> None:
    config = english["config"]
    source = "".join((FOLDER / name).read_text(encoding="utf-8") for name in ("config_flow.py", "discovery_flow.py"))
    assert set(re.findall(r'step_id="(\w+)"', source)) == set(config["step"])
    assert set(re.findall(r'reason="(\w+)"', source)) <= set(config["abort"])
    for step in config["step"].values():
        assert set(step.get("data", {})) == set(step.get("data_description", {}))


@pytest.mark.parametrize(
    ("kind", "flow"),
    [(Kind.VENDOR_ACCOUNT, VendorAccountFlow), (Kind.BRIDGE, BridgeFlow), (Kind.GROUP, GroupFlow)],
)
def test_every_step_error_and_reason_of_a_subentry_has_texts(
    english: dict[str, Any], kind: Kind, flow: type[GatewaySubentryFlow]
) -> None:
    texts = english["config_subentries"][kind]
    source = (FOLDER / f"{kind}_flow.py").read_text(encoding="utf-8")
    shared = (FOLDER / "subentry_flow.py").read_text(encoding="utf-8")
    assert set(texts["step"]) == set(re.findall(r'step_id="(\w+)"', source))
    assert set(texts["abort"]) == {NOT_CONNECTED, *re.findall(r'reason="(\w+)"', source)}
    assert set(texts["error"]) == flow.known_codes | set(re.findall(r': "(\w+)"}', shared))
    assert set(texts["initiate_flow"]) == {SOURCE_USER, SOURCE_RECONFIGURE}
    assert texts["entry_type"]
    for step in texts["step"].values():
        assert set(step["data"]) == set(step["data_description"])


def test_the_kinds_of_subentries_have_texts_and_no_others(english: dict[str, Any]) -> None:
    assert set(english["config_subentries"]) == set(Kind)
    assert set(english["selector"][CONF_BRIDGE]["options"]) == {BY_ADDRESS}


def test_every_repair_has_texts(english: dict[str, Any]) -> None:
    named = {f"finding_{code}" for code in (*CODES, OTHER)} | {"gateway_too_old", "integration_too_old", "two_owners"}
    named |= {"login_refused", "not_removed"}
    assert named <= set(english["issues"])
    mended_here = {"login_refused", *(f"finding_{code}" for code in MENDED_AT_THE_BRIDGE)}
    reasons = set(re.findall(r'reason="(\w+)"', "".join(path.read_text("utf-8") for path in FOLDER.glob("*.py"))))
    for name, texts in english["issues"].items():
        # Either it says what to do, or it is done here.
        assert ("fix_flow" in texts) != ("description" in texts), name
        assert "fix_flow" in texts or name not in mended_here, name
        assert set(texts.get("fix_flow", {}).get("abort", {})) <= reasons, name


def test_what_the_manifest_names_is_known(hass: HomeAssistant) -> None:
    del hass
    manifest = read("manifest.json")
    folder = Path(generated.__file__).parent
    for key in ("categories", "connectivity"):
        known = folder / f"integration_{key}.json"
        # 2026.10 does not know of them yet.
        if known.exists():
            assert set(manifest[key]) <= set(json.loads(known.read_text(encoding="utf-8")))
    assert manifest["zeroconf"] == ["_mowdeck._tcp.local."]


def test_icons_are_of_entities_that_exist(english: dict[str, Any]) -> None:
    for domain, icons in read("icons.json")["entity"].items():
        assert icons.keys() <= english["entity"][domain].keys()
        for name, icon in icons.items():
            states = english["entity"][domain][name].get("state", {"on": "", "off": ""})
            assert icon.get("state", {}).keys() <= states.keys()


async def test_the_flow_finds_its_texts(hass: HomeAssistant) -> None:
    for language in LANGUAGES:
        texts = await translation.async_get_translations(hass, language, "config", {DOMAIN}, config_flow=True)
        prefix = f"component.{DOMAIN}.config"
        for step, fields in (("user", ("host", "port", "token")), ("reauth_confirm", ("token",))):
            for field in fields:
                assert texts[f"{prefix}.step.{step}.data.{field}"]
                assert texts[f"{prefix}.step.{step}.data_description.{field}"]


def test_the_images_have_the_sizes_that_are_asked_for() -> None:
    for name, size in (("icon.png", 256), ("icon@2x.png", 512)):
        with Image.open(FOLDER / "brand" / name) as image:
            assert (image.format, image.size) == ("PNG", (size, size))
    for name, shortest in (("logo.png", 128), ("logo@2x.png", 256)):
        with Image.open(FOLDER / "brand" / name) as image:
            assert image.format == "PNG"
            assert min(image.size) == shortest


def test_the_quality_scale_claims_every_rule_or_says_why_not() -> None:
    rules = load_yaml_dict(str(FOLDER / "quality_scale.yaml"))["rules"]
    for name, rule in rules.items():
        status = rule if isinstance(rule, str) else rule["status"]
        assert status in {"done", "exempt"}, name
        assert status == "done" or rule["comment"], name
    assert len(rules) == 54
