"""Errors of the gateway and failed orders as Home Assistant shows them: translated, with the gateway's own sentence."""

from collections.abc import Iterator
from contextlib import contextmanager

from homeassistant.exceptions import HomeAssistantError, ServiceValidationError

from .client.command import Command, CommandStatus
from .client.errors import (
    AnsweredError,
    AuthenticationError,
    ClientError,
    DeadlineError,
    RefusedError,
    UnreachableError,
)
from .const import DOMAIN
from .hub import Hub

KNOWN_REASONS = frozenset(
    {
        "areas_gone",
        "busy",
        "in_transition",
        "map_unknown",
        "mower_in_error",
        "no_area_enabled",
        "no_open_job",
        "not_confirmed",
        "not_mowing",
        "outcome_unknown",
        "refused_by_mower",
        "state_unknown",
        "unavailable",
    }
)
"""Reasons of failed orders that have a sentence of their own in the translations."""


@contextmanager
def translated(hub: Hub) -> Iterator[None]:
    """Raise errors of the client as Home Assistant's; a refused token is asked for again."""
    try:
        yield
    except ClientError as error:
        if isinstance(error, AuthenticationError):
            hub.ask_for_token()
        raise translate(error) from error


def translate(error: ClientError) -> HomeAssistantError:
    """Return the error that Home Assistant shows."""
    match error:
        case RefusedError(code="forbidden"):
            return not_allowed()
        case RefusedError(code="unknown_principal"):
            return HomeAssistantError(translation_domain=DOMAIN, translation_key="unknown_person")
        case RefusedError(field=None):
            return ServiceValidationError(
                translation_domain=DOMAIN,
                translation_key="refused",
                translation_placeholders={"detail": error.sentence},
            )
        case RefusedError(field=str(field)):
            return ServiceValidationError(
                translation_domain=DOMAIN,
                translation_key="refused_field",
                translation_placeholders={"detail": error.sentence, "field": field},
            )
        case DeadlineError():
            key, detail = "gateway_deadline", error.sentence
        case AnsweredError():
            key, detail = "gateway_not_ready", error.sentence
        case AuthenticationError():
            key, detail = "invalid_auth", str(error)
        case UnreachableError():
            key, detail = "cannot_connect", str(error)
        case _:
            key, detail = "gateway_error", str(error)
    return HomeAssistantError(
        translation_domain=DOMAIN, translation_key=key, translation_placeholders={"detail": detail}
    )


def not_allowed() -> HomeAssistantError:
    """Return the error for somebody who may not do what they ask for."""
    return ServiceValidationError(translation_domain=DOMAIN, translation_key="not_allowed")


def check_outcome(command: Command, mower_name: str, *, language: str) -> None:
    """Raise when an order failed or expired; one that is still under way is not an error.

    `language`: in which the mower's own reason is shown, English where the gateway does not speak it.
    """
    if command.status not in (CommandStatus.FAILED, CommandStatus.EXPIRED):
        return
    reason = command.reason or command.status.value
    if command.status is CommandStatus.EXPIRED:
        key = "order_expired"
    elif reason in KNOWN_REASONS:
        key = f"order_{reason}"
    else:
        key = "order_failed"
    placeholders = {"mower": mower_name, "reason": reason}
    if reason == "refused_by_mower" and (words := _words(command, language)) is not None:
        key, placeholders = "order_refused_because", placeholders | words
    raise HomeAssistantError(translation_domain=DOMAIN, translation_key=key, translation_placeholders=placeholders)


def _words(command: Command, language: str) -> dict[str, str] | None:
    """Return why the mower refused and what to do, when the gateway knows it."""
    words = command.values.get("words")
    if not isinstance(words, dict):
        return None
    text = words.get(language.partition("-")[0], words.get("en"))
    if not isinstance(text, dict) or not all(isinstance(text.get(part), str) for part in ("cause", "remedy")):
        return None
    return {"cause": text["cause"], "remedy": text["remedy"]}
