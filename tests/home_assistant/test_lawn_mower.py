"""The mower entity: what it shows, what its actions order, and what becomes of failed orders."""

import pytest
from homeassistant.const import ATTR_ENTITY_ID, Platform
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError, ServiceValidationError
from homeassistant.helpers import entity_registry as er
from pytest_homeassistant_custom_component.common import MockUser

from custom_components.mowdeck.hub import MowDeckConfigEntry
from tests.emulators.gateway import documents
from tests.emulators.gateway.gateway import EmulatedGateway
from tests.home_assistant.waiting import until_state

MOWER = "lawn_mower.front_lawn"
pytestmark = pytest.mark.usefixtures("loaded")

COMMANDS = f"mowers/{documents.MOWER_ID}/commands"


async def call(hass: HomeAssistant, service: str, context: Context | None = None) -> None:
    await hass.services.async_call(
        Platform.LAWN_MOWER, service, {ATTR_ENTITY_ID: MOWER}, blocking=True, context=context
    )


@pytest.mark.parametrize(
    ("activity", "state"),
    [
        ("mowing", "mowing"),
        ("paused", "paused"),
        ("returning", "returning"),
        ("docked", "docked"),
        ("idle", "idle"),
        ("error", "error"),
        ("unknown", "unknown"),
        ("dancing", "unknown"),
    ],
)
async def test_it_shows_what_the_mower_does(
    hass: HomeAssistant, gateway: EmulatedGateway, activity: str, state: str
) -> None:
    await gateway.put_mower(activity="mowing")
    await until_state(hass, MOWER, "mowing")
    await gateway.put_mower(activity=activity)
    await until_state(hass, MOWER, state)


async def test_its_id_is_the_mowers(entity_registry: er.EntityRegistry) -> None:
    entity = entity_registry.async_get(MOWER)
    assert entity is not None
    assert entity.unique_id == documents.MOWER_ID


@pytest.mark.parametrize(
    ("service", "body"),
    [
        ("start_mowing", {"kind": "start_mow", "mode": "auto"}),
        ("pause", {"kind": "pause"}),
        ("dock", {"kind": "return_to_dock"}),
        ("stop", {"kind": "cancel_job"}),
    ],
)
async def test_its_actions_order_what_they_say(
    hass: HomeAssistant,
    hass_admin_user: MockUser,
    gateway: EmulatedGateway,
    service: str,
    body: dict[str, str],
) -> None:
    await call(hass, service, Context(user_id=hass_admin_user.id))
    request = await gateway.wait_for_request("POST", COMMANDS)
    assert request.body == body
    assert request.headers["X-MowDeck-Principal"] == "user:owner"
    assert request.headers["X-MowDeck-Origin"] == "dashboard"
    assert request.headers["X-MowDeck-API"] == "1"
    assert request.headers["Idempotency-Key"]


async def test_an_automation_is_named_as_the_origin(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    await call(hass, "dock", Context(parent_id="what triggered it"))
    assert (await gateway.wait_for_request("POST", COMMANDS)).headers["X-MowDeck-Origin"] == "automation"


async def test_every_order_has_a_key_of_its_own(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    context = Context()
    for _ in range(2):
        await call(hass, "dock", context)
    first, second = (request.headers["Idempotency-Key"] for request in gateway.requests)
    assert first != second


@pytest.mark.parametrize("outcome_first", [True, False])
@pytest.mark.parametrize(
    ("outcome", "key"),
    [
        ({"status": "failed", "reason": "refused_by_mower"}, "order_refused_by_mower"),
        ({"status": "failed", "reason": "unheard_of"}, "order_failed"),
        ({"status": "expired", "reason": "expired"}, "order_expired"),
        ({"status": "expired", "reason": None}, "order_expired"),
    ],
)
async def test_a_failed_order_is_an_error_that_says_why(
    hass: HomeAssistant,
    gateway: EmulatedGateway,
    outcome: dict[str, str],
    key: str,
    *,
    outcome_first: bool,
) -> None:
    gateway.outcome, gateway.outcome_first = outcome, outcome_first
    with pytest.raises(HomeAssistantError) as raised:
        await call(hass, "start_mowing")
    assert raised.value.translation_key == key
    assert raised.value.translation_placeholders == {
        "mower": "Front lawn",
        "reason": outcome["reason"] or outcome["status"],
    }


@pytest.mark.parametrize(
    ("language", "cause"), [("en", "It rains."), ("de", "Es regnet."), ("de-CH", "Es regnet."), ("fr", "It rains.")]
)
async def test_a_mower_s_own_reason_is_shown_in_the_language_of_the_house(
    hass: HomeAssistant, gateway: EmulatedGateway, language: str, cause: str
) -> None:
    hass.config.language = language
    words = {"en": {"cause": "It rains.", "remedy": "Wait."}, "de": {"cause": "Es regnet.", "remedy": "Warte."}}
    gateway.outcome = {"status": "failed", "reason": "refused_by_mower", "values": {"words": words}}
    with pytest.raises(HomeAssistantError) as raised:
        await call(hass, "start_mowing")
    assert raised.value.translation_key == "order_refused_because"
    assert raised.value.translation_placeholders is not None
    assert raised.value.translation_placeholders["cause"] == cause


async def test_an_outcome_that_takes_long_is_no_error(
    hass: HomeAssistant, gateway: EmulatedGateway, loaded: MowDeckConfigEntry, caplog: pytest.LogCaptureFixture
) -> None:
    gateway.outcome = None
    loaded.runtime_data.outcome_seconds = 0.05
    caplog.set_level("DEBUG", "custom_components.mowdeck")
    await call(hass, "start_mowing")
    assert "start_mow of Front lawn is still accepted" in caplog.text


async def test_a_status_on_the_way_is_waited_past(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    gateway.outcome = {"status": "sent"}
    ordering = hass.async_create_task(call(hass, "dock"))
    await gateway.wait_for_request("POST", COMMANDS)
    failed = documents.command(id="command-1", status="failed", reason="not_confirmed")
    await gateway.events.tell(command=failed)
    # What was said before comes again, and changes nothing.
    await gateway.events.tell(command=failed | {"status": "acknowledged"})
    with pytest.raises(HomeAssistantError) as raised:
        await ordering
    assert raised.value.translation_key == "order_not_confirmed"


@pytest.mark.parametrize(
    ("status", "body", "error_class", "key"),
    [
        (
            404,
            documents.error("not_found", "It is gone.", remedy="Reload."),
            ServiceValidationError,
            "refused_not_found",
        ),
        (422, documents.error("invalid", "Odd.", field="pattern.x"), ServiceValidationError, "refused_field_pattern"),
        (503, documents.error("no_responder", "Fleet is away."), HomeAssistantError, "refused_no_responder"),
        (504, documents.error("no_answer", "Fleet is slow."), HomeAssistantError, "refused_no_answer"),
        (409, documents.error("newer", "It is odd."), ServiceValidationError, "refused"),
        (422, documents.error("invalid", "Odd.", field="newer"), ServiceValidationError, "refused_field"),
        (503, documents.error("newer", "Fleet is away."), HomeAssistantError, "gateway_not_ready"),
        (504, documents.error("newer", "Fleet is slow."), HomeAssistantError, "gateway_deadline"),
        (500, {"oops": 1}, HomeAssistantError, "gateway_error"),
        (302, {}, HomeAssistantError, "gateway_error"),
    ],
)
async def test_a_refused_request_is_an_error_with_the_gateways_sentence(
    hass: HomeAssistant,
    gateway: EmulatedGateway,
    status: int,
    body: dict[str, object],
    error_class: type[HomeAssistantError],
    key: str,
) -> None:
    gateway.refuse(status, body)
    with pytest.raises(HomeAssistantError) as raised:
        await call(hass, "dock")
    assert type(raised.value) is error_class
    assert raised.value.translation_key == key
    assert raised.value.translation_placeholders is not None
    detail = raised.value.translation_placeholders["detail"]
    error = body.get("error")
    if isinstance(error, dict):
        assert detail == " ".join(filter(None, (error["detail"], error.get("remedy"))))


@pytest.mark.parametrize(
    ("code", "error_class", "key"),
    [
        ("forbidden", ServiceValidationError, "not_allowed"),
        ("unknown_principal", HomeAssistantError, "unknown_person"),
    ],
)
async def test_who_may_not_is_told_so_in_our_words(
    hass: HomeAssistant, gateway: EmulatedGateway, code: str, error_class: type[HomeAssistantError], key: str
) -> None:
    gateway.refuse(403, documents.error(code, "user:uwe may not do this."))
    with pytest.raises(HomeAssistantError) as raised:
        await call(hass, "dock")
    assert (type(raised.value), raised.value.translation_key) == (error_class, key)


async def test_an_order_without_a_gateway_is_an_error(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    await gateway.stop()
    with pytest.raises(HomeAssistantError) as raised:
        await call(hass, "dock")
    assert raised.value.translation_key == "cannot_connect"


async def test_a_token_that_is_refused_with_an_order_is_asked_for(
    hass: HomeAssistant, gateway: EmulatedGateway
) -> None:
    gateway.token = documents.OTHER_TOKEN
    with pytest.raises(HomeAssistantError) as raised:
        await call(hass, "dock")
    assert raised.value.translation_key == "invalid_auth"
    await hass.async_block_till_done()
    assert [flow["context"]["source"] for flow in hass.config_entries.flow.async_progress()] == ["reauth"]
