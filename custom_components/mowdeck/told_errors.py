"""Errors of the client as Home Assistant shows them: translated, and said in the language of the house."""

from enum import StrEnum

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError, ServiceValidationError
from homeassistant.helpers.translation import async_get_translations

from .client.errors import AnsweredError, AuthenticationError, ClientError, RefusedError, UnreachableError
from .client.schedule import Target
from .const import DOMAIN
from .refusals import FRAMES, text_of, values_of


class Whose(StrEnum):
    """Whose rights somebody lacks: the key of the text that says so."""

    MOWER = "not_allowed"
    GROUP = "not_allowed_group"
    SITE = "not_allowed_site"

    @classmethod
    def of(cls, target: Target) -> Whose:
        """Return whose rights a schedule asks for."""
        return cls.MOWER if target.group_id is None else cls.GROUP


def translate(error: ClientError, whose: Whose = Whose.MOWER) -> HomeAssistantError:
    """Return the error that Home Assistant shows; `whose` rights were asked for."""
    match error:
        case RefusedError(code="forbidden"):
            return not_allowed(whose)
        case RefusedError(code="unknown_principal"):
            return HomeAssistantError(translation_domain=DOMAIN, translation_key="unknown_person")
        case AnsweredError():
            raised = ServiceValidationError if isinstance(error, RefusedError) else HomeAssistantError
            return raised(
                translation_domain=DOMAIN, translation_key=text_of(error), translation_placeholders=values_of(error)
            )
        case AuthenticationError():
            key, detail = "invalid_auth", str(error)
        case UnreachableError():
            key, detail = "cannot_connect", str(error)
        case _:
            key, detail = "gateway_error", str(error)
    return HomeAssistantError(
        translation_domain=DOMAIN, translation_key=key, translation_placeholders={"detail": detail}
    )


async def said(hass: HomeAssistant, error: ClientError) -> str:
    """Return what an error says in the language of the house, to stand in a text that says whose it is."""
    shown = translate(error)
    if isinstance(error, AnsweredError) and shown.translation_key in FRAMES:
        return error.sentence
    return await in_language(hass, shown, hass.config.language)


async def in_language(hass: HomeAssistant, error: HomeAssistantError, language: str) -> str:
    """Return what an error says in a language, also one of a region (`de-AT`); those of others in English."""
    texts = await async_get_translations(hass, language.partition("-")[0], "exceptions", {DOMAIN})
    text = texts.get(f"component.{error.translation_domain}.exceptions.{error.translation_key}.message")
    return str(error) if text is None else text.format(**(error.translation_placeholders or {}))


def not_allowed(whose: Whose) -> HomeAssistantError:
    """Return the error for somebody who may not do what they ask for."""
    return ServiceValidationError(translation_domain=DOMAIN, translation_key=whose.value)
