"""For whom the page is made: words, times and amounts in the reader's language and zone, as HTML. Pure."""

from collections.abc import Mapping
from datetime import UTC, datetime
from html import escape
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from edge_gateway.ingress.language import read
from edge_gateway.ingress.words import text

_MINUTE, _HOUR, _DAY = 60, 3600, 86400
_MEGABYTE = 1024 * 1024
_FEW_MEGABYTES = 10 * _MEGABYTE


class Reader:
    """A language, the present moment and a time zone. It returns HTML, and takes HTML as the values of a phrase."""

    def __init__(self, tag: str, *, now: datetime, zone: str | None = None) -> None:
        """Take an unknown zone for UTC, which is then said."""
        self.tag = tag
        self.now = now
        self._words = read(tag)
        self._zone: ZoneInfo | None = None
        if zone:
            try:
                self._zone = ZoneInfo(zone)
            except ZoneInfoNotFoundError, ValueError:
                self._zone = None

    def say(self, phrase: str, **values: object) -> str:
        """Return a phrase of the page with values in it."""
        return _filled(self._words.page[phrase], values)

    def code(self, kind: str, value: object) -> str:
        """Return the word of a code; one that has none is shown as it is, without its underscores."""
        word = self._words.codes[kind].get(str(value))
        return text(word) if word else text(value).replace("_", " ")

    def finding(self, item: Mapping[str, Any], name: str) -> tuple[str, str, str]:
        """Return what is wrong with something of that name, the numbers behind it, and what to do about it."""
        words = self._words.findings.get(item["code"])
        if words is None:
            return text(name), text(item["detail"]), text(item["remedy"])
        title = _filled(words.title, {"name": text(name), "service": self.code("service", item.get("service"))})
        values = self._shown(item.get("values") or {})
        try:
            detail = _filled(words.detail, values) if words.detail else ""
        except KeyError:
            # The number is not known this time.
            detail = ""
        return title, detail, text(words.remedy)

    def ago(self, value: str | datetime | None) -> str:
        """Return how long a moment is past, or how long it is ahead."""
        if value is None:
            return self.say("never")
        at = _read(value)
        seconds = round((self.now - at).total_seconds())
        if abs(seconds) < _MINUTE:
            words = self.say("just_now")
        else:
            words = self.say("ago" if seconds > 0 else "ahead", length=self.duration(abs(seconds)))
        return f'<time datetime="{escape(at.isoformat())}" title="{self.moment(at)}">{words}</time>'

    def moment(self, value: str | datetime) -> str:
        """Return a date and a time of day in the garden's zone, or in UTC where no garden's is known."""
        shown = _read(value).astimezone(self._zone or UTC).strftime(self._words.page["moment"])
        return shown if self._zone else f"{shown} UTC"

    def duration(self, seconds: float) -> str:
        """Return a length of time, roughly."""
        for size, unit in ((_DAY, "days"), (_HOUR, "hours"), (_MINUTE, "minutes")):
            if seconds >= size:
                return self.say(unit, count=f"{seconds / size:.0f}")
        return self.say("seconds", count=f"{seconds:.0f}")

    def megabytes(self, count: int) -> str:
        """Return a size."""
        digits = 1 if count < _FEW_MEGABYTES else 0
        return self.say("megabytes", count=self._number(count / _MEGABYTE, digits))

    def _number(self, value: float, digits: int) -> str:
        return f"{value:.{digits}f}".replace(".", self._words.page["decimal_sign"])

    def _shown(self, values: Mapping[str, Any]) -> dict[str, str]:
        known = {name: value for name, value in values.items() if value is not None}
        shown = {
            name: self._number(value, 0) if isinstance(value, float) else text(value) for name, value in known.items()
        }
        if "problem_code" in known:
            shown["problem"] = self.code("problem", known["problem_code"])
        if "reason" in known:
            shown["reason"] = self.code("reason", known["reason"])
        if "blade_seconds" in known:
            shown["blade_hours"] = self._number(known["blade_seconds"] / _HOUR, 0)
        return shown


def _filled(phrase: str, values: Mapping[str, object]) -> str:
    return escape(phrase, quote=False).format_map(values)


def _read(value: str | datetime) -> datetime:
    return datetime.fromisoformat(value) if isinstance(value, str) else value
