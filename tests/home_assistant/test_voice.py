"""What is said to an assistant, through Home Assistant's conversation, and what a language model may call."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.auth.permissions.const import POLICY_READ
from homeassistant.components import conversation
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError, Unauthorized
from homeassistant.helpers import llm
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockUser

from custom_components.mowdeck.const import DOMAIN
from custom_components.mowdeck.hub import MowDeckConfigEntry
from tests.emulators.gateway import documents
from tests.emulators.gateway.gateway import EmulatedGateway
from tests.home_assistant.waiting import until_state

MOWER = "lawn_mower.front_lawn"
SECOND = "01K8MOWER00000000000000002"
SKIP = f"schedules/{documents.SCHEDULE_ID}/skip-next"


@pytest.fixture(autouse=True)
async def _voice(
    hass: HomeAssistant, loaded: MowDeckConfigEntry, tmp_path: Path, freezer: FrozenDateTimeFactory
) -> None:
    """Have the sentences installed, and the mower shared with the assistant, on the day before it mows."""
    del loaded
    freezer.move_to("2026-05-03T10:00:00Z")
    await hass.config.async_set_time_zone("Europe/Amsterdam")
    (tmp_path / "configuration.yaml").touch()
    hass.config.config_dir = str(tmp_path)
    for component in ("homeassistant", "conversation", "llm"):
        assert await async_setup_component(hass, component, {})
    async_expose_entity(hass, conversation.DOMAIN, MOWER, should_expose=True)
    await hass.services.async_call(DOMAIN, "install_sentences", blocking=True)


async def say(hass: HomeAssistant, text: str, *, language: str = "en", context: Context | None = None) -> str:
    """Return what the assistant says to somebody."""
    result = await conversation.async_converse(hass, text, None, context or Context(), language=language)
    speech: str = result.response.speech["plain"]["speech"]
    return speech


async def add_second(hass: HomeAssistant, gateway: EmulatedGateway, *, exposed: bool) -> None:
    await gateway.put_mower(SECOND, name="Back lawn")
    await until_state(hass, "lawn_mower.back_lawn", "docked")
    async_expose_entity(hass, conversation.DOMAIN, "lawn_mower.back_lawn", should_expose=exposed)


async def test_start_and_stop_mowing_order_the_mower_that_is_shared(
    hass: HomeAssistant, gateway: EmulatedGateway
) -> None:
    await add_second(hass, gateway, exposed=False)
    for text, body in (
        ("start mowing", {"kind": "start_mow", "mode": "auto"}),
        ("stop mowing", {"kind": "return_to_dock"}),
        ("start front lawn", {"kind": "start_mow", "mode": "auto"}),
    ):
        await say(hass, text)
        request = await gateway.wait_for_request("POST", f"mowers/{documents.MOWER_ID}/commands")
        assert request.body == body
        gateway.requests.clear()
    assert gateway.find("POST", f"mowers/{SECOND}/commands") is None


@pytest.mark.parametrize(
    ("language", "text", "answers"),
    [
        (
            "en",
            "skip the next mow",
            (
                "Front lawn skips the mow tomorrow at 09:00.",
                "The next mow of Front lawn, tomorrow at 09:00, is skipped already.",
            ),
        ),
        (
            "de",
            "Überspringe das nächste Mähen von Front lawn",
            (
                "Front lawn lässt das Mähen morgen um 09:00 Uhr aus.",
                "Das nächste Mähen von Front lawn, morgen um 09:00 Uhr, fällt schon aus.",
            ),
        ),
    ],
)
async def test_the_next_mow_is_skipped_once(
    hass: HomeAssistant,
    gateway: EmulatedGateway,
    hass_admin_user: MockUser,
    language: str,
    text: str,
    answers: tuple[str, str],
) -> None:
    said = [await say(hass, text, language=language, context=Context(user_id=hass_admin_user.id)) for _ in range(2)]
    assert tuple(said) == answers
    request = await gateway.wait_for_request("POST", SKIP)
    assert request.body == {"occurrence": "2026-05-04T07:00:00+00:00"}
    assert request.headers["X-MowDeck-Origin"] == "voice"
    assert len([each for each in gateway.requests if each.path == SKIP]) == 1


async def test_with_several_mowers_it_must_be_said_which(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    await add_second(hass, gateway, exposed=True)
    await gateway.put_schedule("second", name="Evenings", target={"mower_id": SECOND})
    await until_state(hass, "sensor.evenings_next_run", "2026-05-04T07:00:00+00:00")
    assert await say(hass, "skip the next mow") == (
        "Which mower do you mean, Back lawn or Front lawn? Say it with its name."
    )
    assert not gateway.requests
    await say(hass, "skip the next mow of the back lawn")
    assert gateway.find("POST", "schedules/second/skip-next") is not None
    # The one that has nothing planned cannot be meant.
    await gateway.remove_schedule("second")
    await until_state(hass, "sensor.evenings_next_run", None)
    assert await say(hass, "skip the next mow") == "Front lawn skips the mow tomorrow at 09:00."


async def test_a_skip_that_is_not_allowed_or_not_possible_is_told(
    hass: HomeAssistant, gateway: EmulatedGateway, hass_read_only_user: MockUser
) -> None:
    hass_read_only_user.mock_policy({"entities": {"all": {POLICY_READ: True}}})
    context = Context(user_id=hass_read_only_user.id)
    assert await say(hass, "skip the next mow", context=context) == "You may not control Front lawn."
    assert not gateway.requests
    gateway.refuse(409, documents.error("firing", "It is just starting."))
    assert (await say(hass, "skip the next mow")).startswith("That did not work: The schedule is just starting a mower")
    german = await say(hass, "Überspringe das nächste Mähen", language="de-CH")
    assert german.startswith("Das ging nicht: Der Plan startet gerade einen Mäher")


async def test_why_the_mower_is_not_mowing(
    hass: HomeAssistant, gateway: EmulatedGateway, loaded: MowDeckConfigEntry
) -> None:
    question = "why is the mower not mowing"
    gateway.mower_routes.weather = documents.weather(pause_until="2026-05-03T16:00:00Z")
    changed = {"type": "scheduler.weather.changed", "subject_id": "x", "payload": {"mower_id": documents.MOWER_ID}}
    await gateway.events.tell(event=changed)
    await until_state(hass, "sensor.front_lawn_held_back_until", "2026-05-03T16:00:00+00:00")
    assert await say(hass, question) == "Front lawn is held back until today at 18:00: Rain expected."
    german = await say(hass, "Warum mäht der Rasenmäher nicht?", language="de-CH")
    assert german == "Front lawn wird zurückgehalten bis heute um 18:00 Uhr: Regen erwartet."
    await gateway.put_mower(activity="error", problem={"code": "stuck", "vendor_code": "1005"})
    await until_state(hass, MOWER, "error")
    assert await say(hass, question) == "Front lawn has a problem: Stuck."
    await gateway.put_mower(available=False, unavailable_reason="link_lost")
    await until_state(hass, MOWER, "unavailable")
    assert await say(hass, "why isn't front lawn mowing") == "Front lawn is not reached: Connection lost."
    loaded.runtime_data.connected = False
    assert await say(hass, question) == "The gateway of Front lawn is not reached, so nobody knows."


async def test_when_it_mows_next(hass: HomeAssistant, freezer: FrozenDateTimeFactory) -> None:
    for now, moment in (
        ("2026-05-04T06:00:00Z", "today at 09:00"),
        ("2026-05-05T06:00:00Z", "yesterday at 09:00"),
        ("2026-05-01T06:00:00Z", "on Monday at 09:00"),
        ("2026-04-01T06:00:00Z", "on 04.05. at 09:00"),
    ):
        freezer.move_to(now)
        assert await say(hass, "when does the mower mow next") == f"Front lawn mows next {moment}: Weekday mornings."


async def test_mowers_that_are_not_shared_are_not_spoken_of(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    async_expose_entity(hass, conversation.DOMAIN, MOWER, should_expose=False)
    hass.states.async_set("lawn_mower.of_another_integration", "docked")
    async_expose_entity(hass, conversation.DOMAIN, "lawn_mower.of_another_integration", should_expose=True)
    for text in ("skip the next mow", "why is the mower not mowing", "when is the next mow"):
        assert await say(hass, text) == "No such MowDeck mower is shared with this assistant."
    assert not gateway.requests
    with pytest.raises(HomeAssistantError, match="not found"):
        await call_tool(hass, "next_mow")


async def call_tool(hass: HomeAssistant, tool: str, **arguments: Any) -> llm.ToolResult:  # noqa: ANN401  # JSON
    """Call a tool as a language model does."""
    context = llm.LLMContext("test", Context(), "en", conversation.DOMAIN, None)
    api = await llm.async_get_api(hass, llm.LLM_API_ASSIST, context)
    return await api.async_call_tool(llm.ToolInput(f"mowdeck__{tool}", arguments))


async def test_a_language_model_can_ask_and_skip(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    asked = await call_tool(hass, "next_mow", name="Front lawn")
    assert asked.data == {
        "mowers": [
            {
                "mower": "Front lawn",
                "answer": "next",
                "reason": None,
                "at": "2026-05-04T07:00:00+00:00",
                "schedule": "Weekday mornings",
                "sentence": "Front lawn mows next tomorrow at 09:00: Weekday mornings.",
            }
        ]
    }
    skipped = await call_tool(hass, "skip_next_mow")
    assert skipped == llm.ToolResult(
        data={"answer": "skipped", "sentence": "Front lawn skips the mow tomorrow at 09:00."}
    )
    why = await call_tool(hass, "why_not_mowing")
    mowers = why.data["mowers"]
    assert isinstance(mowers, list)
    assert isinstance(mowers[0], dict)
    assert (mowers[0]["answer"], mowers[0]["reason"]) == ("held_until", "rain_expected")
    assert (await call_tool(hass, "next_mow", name="Nobody")).error
    await add_second(hass, gateway, exposed=True)
    await gateway.put_schedule("second", name="Evenings", target={"mower_id": SECOND})
    await until_state(hass, "sensor.evenings_next_run", "2026-05-04T07:00:00+00:00")
    assert (await call_tool(hass, "skip_next_mow")).error
    gateway.refuse(409, documents.error("firing", "It is just starting."))
    refused = await call_tool(hass, "skip_next_mow", name="Back lawn")
    assert refused.error
    assert str(refused.data["error"]).startswith("The schedule is just starting a mower")


async def change(hass: HomeAssistant, action: str, context: Context | None = None) -> dict[str, list[str]]:
    """Install or remove the sentences, and return the names of the folders."""
    answer = await hass.services.async_call(
        DOMAIN, action, blocking=True, return_response=True, context=context or Context()
    )
    assert answer is not None
    told: dict[str, Callable[[], list[str]]] = answer  # type: ignore[assignment]  # JSON
    return {key: [Path(path).parent.name for path in told[key]] for key in ("files", "kept")}  # type: ignore[attr-defined]  # JSON


async def test_an_edited_file_is_left_alone(hass: HomeAssistant, tmp_path: Path) -> None:
    edited = tmp_path / "custom_sentences" / "de" / "mowdeck.yaml"
    edited.write_text(edited.read_text() + "# mine\n")
    assert await change(hass, "install_sentences") == {"files": ["en", "de-CH"], "kept": ["de"]}
    assert await change(hass, "remove_sentences") == {"files": ["en", "de-CH"], "kept": ["de"]}
    assert edited.read_text().endswith("# mine\n")
    edited.unlink()
    assert await change(hass, "remove_sentences") == {"files": [], "kept": []}


async def test_sentences_that_cannot_be_written_are_told(
    hass: HomeAssistant, tmp_path: Path, hass_read_only_user: MockUser
) -> None:
    with pytest.raises(Unauthorized):
        await change(hass, "install_sentences", Context(user_id=hass_read_only_user.id))
    hass.config.config_dir = str(tmp_path / "custom_sentences" / "en" / "mowdeck.yaml")
    with pytest.raises(HomeAssistantError) as raised:
        await change(hass, "install_sentences")
    assert raised.value.translation_key == "sentences_failed"
