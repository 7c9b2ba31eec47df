"""What the flows of subentries share: what is entered goes straight to the gateway, and what it says is shown."""

from collections.abc import Collection, Mapping

from homeassistant.config_entries import ConfigEntryState, ConfigSubentryFlow

from .client.errors import AnsweredError, ClientError, DeadlineError, UnavailableError
from .hub import Hub, MowDeckConfigEntry
from .mirrors import CONF_ID
from .told_errors import said

BASE = "base"

NOT_CONNECTED = "not_connected"


class GatewaySubentryFlow(ConfigSubentryFlow):
    """Asks, and hands what was entered to the gateway; the subentry itself holds an id."""

    known_codes: frozenset[str] = frozenset()
    """Of the gateway's errors, those that have a text of their own."""
    _detail = ""

    @property
    def _hub(self) -> Hub | None:
        """The gateway; None while it is not there."""
        entry: MowDeckConfigEntry = self._get_entry()
        hub = entry.runtime_data if entry.state is ConfigEntryState.LOADED else None
        return hub if hub is not None and hub.connected else None

    @property
    def _subject_id(self) -> str:
        """The id at the gateway of what is changed."""
        return str(self._get_reconfigure_subentry().data[CONF_ID])

    async def _errors_of(
        self, error: ClientError, fields: Collection[str], names: Mapping[str, str] | None = None
    ) -> dict[str, str]:
        """Return what is shown of an error: at the field that it names, where the form has that.

        `names`: how the form calls fields of the API that it calls otherwise.
        """
        if not isinstance(error, AnsweredError):
            return {BASE: "cannot_connect"}
        self._detail = await said(self.hass, error)
        named = (names or {}).get(error.field or "", error.field)
        field = named if named is not None and named in fields else BASE
        if error.code in self.known_codes:
            return {field: error.code}
        if isinstance(error, DeadlineError):
            return {BASE: "deadline"}
        return {BASE: "gateway_not_ready"} if isinstance(error, UnavailableError) else {field: "refused"}

    @property
    def _placeholders(self) -> dict[str, str]:
        """What texts of steps and errors may show: what the gateway says."""
        return {"detail": self._detail}
