"""Intents: skip the next mow, when is the next one, why is the mower not mowing.

The sentences that lead to them are in `sentences/`; an action installs them, as Home Assistant reads none from here.
Starting and docking are Home Assistant's own intents.
"""

from abc import abstractmethod
from typing import Any, override

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError, Unauthorized
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers import intent
from probatio import Optional

from .answers import when_next
from .phrases import Phrases
from .told_errors import in_language
from .voice import Meant, explain, meant_mowers, one_of, skip_next

SKIP_NEXT_MOW = "MowDeckSkipNextMow"
NEXT_MOW = "MowDeckNextMow"
WHY_NOT_MOWING = "MowDeckWhyNotMowing"


async def async_setup_intents(hass: HomeAssistant) -> None:
    """Register the intents."""
    for handler in (SkipNextMow(), NextMow(), WhyNotMowing()):
        intent.async_register(hass, handler)


class MowerIntent(intent.IntentHandler):
    """Something that is said of one mower, or of all that the assistant may know of."""

    @property
    @override
    def slot_schema(self) -> dict[Any, Any]:
        """A mower's name, or nothing."""
        return {Optional("name"): cv.string}

    @override
    async def async_handle(self, intent_obj: intent.Intent) -> intent.IntentResponse:
        """Answer in the language in which it was said."""
        slots = self.async_validate_slots(intent_obj.slots)
        name = slots.get("name", {}).get("value")
        phrases = await Phrases.load(intent_obj.hass, intent_obj.language)
        response = intent_obj.create_response()
        meant = meant_mowers(intent_obj.hass, intent_obj.assistant, name)
        if not meant:
            response.async_set_error(intent.IntentResponseErrorCode.NO_VALID_TARGETS, phrases.say("nobody"))
            return response
        await self._respond(intent_obj, meant, phrases, response)
        return response

    @abstractmethod
    async def _respond(
        self,
        intent_obj: intent.Intent,
        meant: tuple[Meant, ...],
        phrases: Phrases,
        response: intent.IntentResponse,
    ) -> None:
        """Do what is said, and say what became of it."""


class SkipNextMow(MowerIntent):
    """Leave the next mow out; with several mowers it must be said of which."""

    intent_type = SKIP_NEXT_MOW
    description = "Skips the next planned mow of a robotic lawn mower"

    @override
    async def _respond(
        self,
        intent_obj: intent.Intent,
        meant: tuple[Meant, ...],
        phrases: Phrases,
        response: intent.IntentResponse,
    ) -> None:
        one = one_of(meant)
        code = intent.IntentResponseErrorCode
        if one is None:
            names = phrases.choice([each.name for each in meant])
            response.async_set_error(code.NO_VALID_TARGETS, phrases.say("which", mowers=names))
            return
        try:
            answer = await skip_next(intent_obj.hass, one, intent_obj.context)
        except Unauthorized:
            response.async_set_error(code.FAILED_TO_HANDLE, phrases.say("forbidden", mower=one.name))
        except HomeAssistantError as error:
            why = await in_language(intent_obj.hass, error, intent_obj.language)
            response.async_set_error(code.FAILED_TO_HANDLE, phrases.say("failed", detail=why))
        else:
            response.async_set_speech(await phrases.answer(one.name, answer))


class Question(MowerIntent):
    """Something that is asked of each mower."""

    @override
    async def _respond(
        self,
        intent_obj: intent.Intent,
        meant: tuple[Meant, ...],
        phrases: Phrases,
        response: intent.IntentResponse,
    ) -> None:
        response.response_type = intent.IntentResponseType.QUERY_ANSWER
        response.async_set_speech(" ".join([await self._answer(each, phrases) for each in meant]))

    @abstractmethod
    async def _answer(self, meant: Meant, phrases: Phrases) -> str:
        """Answer for one mower."""


class NextMow(Question):
    """Tell when the next mow is."""

    intent_type = NEXT_MOW
    description = "Tells when a robotic lawn mower mows next"

    @override
    async def _answer(self, meant: Meant, phrases: Phrases) -> str:
        return await phrases.answer(meant.name, when_next(meant.schedules))


class WhyNotMowing(Question):
    """Tell why a mower does not mow."""

    intent_type = WHY_NOT_MOWING
    description = "Tells why a robotic lawn mower is not mowing"

    @override
    async def _answer(self, meant: Meant, phrases: Phrases) -> str:
        return await phrases.answer(meant.name, explain(meant))
