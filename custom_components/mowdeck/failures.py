"""What the gateway refuses and orders that fail, raised as Home Assistant's errors."""

from collections.abc import Iterator
from contextlib import contextmanager

from homeassistant.exceptions import HomeAssistantError

from .client.command import Command, CommandStatus
from .client.errors import AuthenticationError, ClientError
from .const import DOMAIN
from .hub import Hub
from .refusals import REASONS
from .told_errors import Whose, translate


@contextmanager
def translated(hub: Hub, whose: Whose = Whose.MOWER) -> Iterator[None]:
    """Raise errors of the client as Home Assistant's; a refused token is asked for again. `whose`: whom it is about."""
    try:
        yield
    except ClientError as error:
        if isinstance(error, AuthenticationError):
            hub.ask_for_token()
        raise translate(error, whose) from error


def check_outcome(command: Command, mower_name: str, *, language: str) -> None:
    """Raise when an order failed or expired; one that is still under way is not an error.

    `language`: in which the mower's own reason is shown, English where the gateway does not speak it.
    """
    if command.status not in (CommandStatus.FAILED, CommandStatus.EXPIRED):
        return
    reason = command.reason or command.status.value
    if command.status is CommandStatus.EXPIRED:
        key = "order_expired"
    elif reason in REASONS:
        key = f"order_{reason}"
    else:
        key = "order_failed"
    placeholders = {"mower": mower_name, "reason": reason}
    if "field" in command.values:
        placeholders["field"] = str(command.values["field"])
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
