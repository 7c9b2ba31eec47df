"""Says answers in a language: sentences, reasons and moments from the translations."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from homeassistant.core import HomeAssistant
from homeassistant.helpers.translation import async_get_translations
from homeassistant.util import dt as dt_util

from .answers import Answer, Words
from .client.recurrence import Weekday
from .const import DOMAIN

PREFIX = f"component.{DOMAIN}."

WORDS = {
    Words.RAIN: ("entity.sensor.hold_reason.state.", "other"),
    Words.RUN: ("entity.sensor.last_outcome.state_attributes.reason.state.", ""),
    Words.PROBLEM: ("entity.sensor.problem_cause.state.", "other"),
    Words.REACH: ("entity.binary_sensor.connectivity.state_attributes.reason.state.", "silent"),
}
"""Where the words of a reason are, and which one stands for reasons that are newer than this integration."""

WEEK = 7


class Phrases:
    """The sentences of one language; English where it has none."""

    def __init__(self, hass: HomeAssistant, texts: Mapping[str, str]) -> None:
        """Take the texts by their path."""
        self._hass = hass
        self._texts = texts

    @classmethod
    async def load(cls, hass: HomeAssistant, language: str) -> Phrases:
        """Read a language's texts; one of a region (`de-AT`) is that without it."""
        texts: dict[str, str] = {}
        for category in ("common", "entity", "selector"):
            texts |= await async_get_translations(hass, language.partition("-")[0], category, {DOMAIN})
        return cls(hass, texts)

    def say(self, key: str, **values: str) -> str:
        """Return a sentence."""
        return self._texts[f"{PREFIX}common.voice_{key}"].format(**values)

    async def answer(self, mower: str, answer: Answer) -> str:
        """Return the sentence of an answer about a mower."""
        return self.say(
            answer.key,
            mower=mower,
            moment="" if answer.moment is None else await self.moment(answer.moment, answer.zone),
            schedule=answer.schedule or "",
            reason="" if answer.words is None else self.reason(answer.words, answer.reason),
        )

    def reason(self, words: Words, code: str | None) -> str:
        """Return a reason's words, or its code where there are none."""
        path, other = WORDS[words]
        return self._texts.get(f"{PREFIX}{path}{code}") or self._texts.get(f"{PREFIX}{path}{other}") or str(code)

    def choice(self, names: Sequence[str]) -> str:
        """Return names as a choice: A, B or C."""
        *others, last = names
        return f"{', '.join(others)} {self.say('or')} {last}" if others else last

    async def moment(self, moment: datetime, zone: str | None) -> str:
        """Return a moment as people say it, by the days around today."""
        told_in = None if zone is None else await dt_util.async_get_time_zone(zone)
        local = moment.astimezone(told_in or dt_util.get_default_time_zone())
        days = (local.date() - dt_util.utcnow().astimezone(local.tzinfo).date()).days
        time = local.strftime("%H:%M")
        near = {-1: "yesterday", 0: "today", 1: "tomorrow"}.get(days)
        if near is not None:
            return self.say(near, time=time)
        if 0 < days < WEEK:
            weekday = self._texts[f"{PREFIX}selector.weekday.options.{tuple(Weekday)[local.weekday()]}"]
            return self.say("weekday", weekday=weekday, time=time)
        return self.say("date", date=local.strftime("%d.%m."), time=time)
