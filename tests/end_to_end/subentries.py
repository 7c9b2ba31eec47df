"""What a person sets up at MowDeck's page in Home Assistant: logins, Bluetooth bridges, groups."""

from typing import Any

from scripts.running.home_assistant import HomeAssistant
from tests.eventually import eventually

FLOW = "/api/config/config_entries/subentries/flow"


class Subentries:
    """The subentries of MowDeck's entry, as Home Assistant's pages ask for them."""

    def __init__(self, home_assistant: HomeAssistant, entry_id: str) -> None:
        """Take the entry."""
        self._home_assistant = home_assistant
        self._entry_id = entry_id

    async def titles(self, kind: str) -> dict[str, str]:
        """Return the ids of the subentries of a kind by their titles."""
        async with self._home_assistant.websocket() as websocket:
            listed: list[dict[str, Any]] = await websocket.call(
                "config_entries/subentries/list", entry_id=self._entry_id
            )
        return {each["title"]: each["subentry_id"] for each in listed if each["subentry_type"] == kind}

    async def wait_for(self, kind: str, titles: set[str]) -> None:
        """Wait until the subentries of a kind are those."""

        async def look() -> bool:
            return set(await self.titles(kind)) == titles

        await eventually(look, seconds=30)

    async def add(self, kind: str, *steps: dict[str, Any]) -> dict[str, Any]:
        """Fill the forms of a kind in, one after the other; return the last answer."""
        answer: dict[str, Any] = await self._home_assistant.post(FLOW, {"handler": [self._entry_id, kind]})
        for given in steps:
            answer = await self._home_assistant.post(f"{FLOW}/{answer['flow_id']}", given)
        return answer

    async def remove(self, kind: str, title: str) -> None:
        """Delete a subentry."""
        subentry_id = (await self.titles(kind))[title]
        async with self._home_assistant.websocket() as websocket:
            await websocket.call("config_entries/subentries/delete", entry_id=self._entry_id, subentry_id=subentry_id)
