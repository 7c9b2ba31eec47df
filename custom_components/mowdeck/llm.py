"""Tools for language models: the next mow, skipping it, and why a mower does not mow."""

from abc import abstractmethod
from typing import Any, override

import probatio
from homeassistant.components.llm import LLMTools
from homeassistant.core import HomeAssistant, callback
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.llm import LLM_API_ASSIST, LLMContext, Tool, ToolAnnotations, ToolInput, ToolResult

from .answers import Answer, next_mow, when_next
from .const import DOMAIN
from .phrases import Phrases
from .voice import Meant, explain, meant_mowers, one_of, skip_next

NAME = "name"


@callback
def async_get_tools(hass: HomeAssistant, llm_context: LLMContext, api_id: str) -> LLMTools | None:
    """Return the tools when the assistant may know of at least one of our mowers."""
    if api_id != LLM_API_ASSIST or not meant_mowers(hass, llm_context.assistant, None):
        return None
    return LLMTools(tools=[NextMowTool(), SkipNextMowTool(), WhyNotMowingTool()])


class MowerTool(Tool):
    """A tool about one mower, or about all that the assistant may know of."""

    integration = DOMAIN
    parameters = probatio.Schema(
        {probatio.Optional(NAME, description="The mower's name; leave it out for all mowers"): cv.string}
    )
    annotations = ToolAnnotations(read_only=True, destructive=False, idempotent=True, open_world=False)

    @override
    async def async_call(self, hass: HomeAssistant, tool_input: ToolInput, llm_context: LLMContext) -> ToolResult:
        """Answer for the mowers that are meant."""
        arguments = self.parameters(tool_input.tool_args)
        meant = meant_mowers(hass, llm_context.assistant, arguments.get(NAME))
        phrases = await Phrases.load(hass, llm_context.language or hass.config.language)
        if not meant:
            return ToolResult(data={"error": phrases.say("nobody")}, error=True)
        return await self._answer(hass, meant, phrases, llm_context)

    async def _answer(
        self, _hass: HomeAssistant, meant: tuple[Meant, ...], phrases: Phrases, _llm_context: LLMContext
    ) -> ToolResult:
        return ToolResult(data={"mowers": [await self._told(each, phrases) for each in meant]})

    async def _told(self, meant: Meant, phrases: Phrases) -> dict[str, Any]:
        """Return what a tool tells of one mower: codes, moments and the sentence."""
        answer = self._about(meant)
        return {
            "mower": meant.name,
            "answer": answer.key,
            "reason": answer.reason,
            "at": None if answer.moment is None else answer.moment.isoformat(),
            "schedule": answer.schedule,
            "sentence": await phrases.answer(meant.name, answer),
        }

    @abstractmethod
    def _about(self, meant: Meant) -> Answer:
        """Return what is to be said of a mower."""


class NextMowTool(MowerTool):
    """When mowers mow next."""

    name = f"{DOMAIN}__next_mow"
    title = "Next mow"
    description = "Tells when robotic lawn mowers mow next according to their schedules, and whether that is skipped."

    @override
    def _about(self, meant: Meant) -> Answer:
        return when_next(meant.schedules)


class WhyNotMowingTool(MowerTool):
    """Why mowers do not mow."""

    name = f"{DOMAIN}__why_not_mowing"
    title = "Why not mowing"
    description = (
        "Tells why robotic lawn mowers are not mowing now: rain, a problem, a skipped run, or nothing planned."
    )

    @override
    def _about(self, meant: Meant) -> Answer:
        return explain(meant)


class SkipNextMowTool(MowerTool):
    """Leave out a mower's next mow."""

    name = f"{DOMAIN}__skip_next_mow"
    title = "Skip next mow"
    description = (
        "Skips the next planned mow of one robotic lawn mower. Calling it again skips no further one. "
        "With several mowers, name one."
    )
    annotations = ToolAnnotations(destructive=False, idempotent=True, open_world=False)

    @override
    def _about(self, meant: Meant) -> Answer:
        found = next_mow(meant.schedules)
        return when_next([] if found is None else [found.schedule])

    @override
    async def _answer(
        self, hass: HomeAssistant, meant: tuple[Meant, ...], phrases: Phrases, llm_context: LLMContext
    ) -> ToolResult:
        one = one_of(meant)
        if one is None:
            question = phrases.say("which", mowers=phrases.choice([each.name for each in meant]))
            return ToolResult(data={"error": question}, error=True)
        try:
            answer = await skip_next(hass, one, llm_context.context)
        except HomeAssistantError as error:
            return ToolResult(data={"error": str(error) or type(error).__name__}, error=True)
        return ToolResult(data={"answer": answer.key, "sentence": await phrases.answer(one.name, answer)})
