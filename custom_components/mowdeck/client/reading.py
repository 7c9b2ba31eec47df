"""Reads JSON objects strictly: absent or null is None, a wrong type is an error, nothing is guessed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Any

from .errors import MalformedError
from .turns import Turns

type Memory = dict[str, tuple[object, Any]]
"""What the parts of an object were the last time, and what was read of them."""


@dataclass(frozen=True)
class Reading:
    """One JSON object and where in the answer it stands (`schedule.recurrence`)."""

    fields: Mapping[str, Any]
    path: str
    memory: Memory | None = None
    """Where there is one, a part that is the same as the last time is not read again, but is the same object again."""

    @classmethod
    def of(cls, value: object, path: str) -> Reading:
        """Take a decoded JSON value that must be an object."""
        if not isinstance(value, dict):
            raise MalformedError(f"{path} is not an object")
        return cls(value, path)

    def remembering(self, memory: Memory) -> Reading:
        """Return the same with a memory of the same thing, which is changed."""
        return Reading(self.fields, self.path, memory)

    def text(self, name: str) -> str:
        """Return a text that must be there."""
        return self._required(name, self.text_or_none(name))

    def text_or_none(self, name: str) -> str | None:
        """Return a text."""
        value = self.fields.get(name)
        if value is not None and not isinstance(value, str):
            raise self._wrong(name, "a text")
        return value

    def flag(self, name: str) -> bool:
        """Return a truth value that must be there."""
        return self._required(name, self.flag_or_none(name))

    def flag_or_none(self, name: str) -> bool | None:
        """Return a truth value."""
        value = self.fields.get(name)
        if value is not None and not isinstance(value, bool):
            raise self._wrong(name, "true or false")
        return value

    def integer(self, name: str) -> int:
        """Return a whole number that must be there."""
        return self._required(name, self.integer_or_none(name))

    def integer_or_none(self, name: str) -> int | None:
        """Return a whole number."""
        value = self.fields.get(name)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
            raise self._wrong(name, "a whole number")
        return value

    def number(self, name: str) -> float:
        """Return a number that must be there."""
        return self._required(name, self.number_or_none(name))

    def number_or_none(self, name: str) -> float | None:
        """Return a number."""
        value = self.fields.get(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self._wrong(name, "a number")
        return float(value)

    def moment(self, name: str) -> datetime:
        """Return a moment that must be there."""
        return self._required(name, self.moment_or_none(name))

    def moment_or_none(self, name: str) -> datetime | None:
        """Return a moment (RFC 3339 with an offset), in UTC."""
        value = self.text_or_none(name)
        if value is None:
            return None
        try:
            moment = datetime.fromisoformat(value)
        except ValueError as error:
            raise self._wrong(name, "a moment") from error
        if moment.tzinfo is None:
            raise self._wrong(name, "a moment with an offset")
        return moment.astimezone(UTC)

    def day(self, name: str) -> date:
        """Return a calendar date that must be there."""
        return self._required(name, self.day_or_none(name))

    def day_or_none(self, name: str) -> date | None:
        """Return a calendar date (`2026-05-01`)."""
        value = self.text_or_none(name)
        if value is None:
            return None
        try:
            return date.fromisoformat(value)
        except ValueError as error:
            raise self._wrong(name, "a date") from error

    def days(self, name: str) -> tuple[date, ...]:
        """Return a list of calendar dates; absent is empty."""
        try:
            return tuple(date.fromisoformat(text) for text in self.texts(name))
        except ValueError as error:
            raise self._wrong(name, "a list of dates") from error

    def choice[E: StrEnum](self, name: str, unknown: E) -> E:
        """Return a member of the enumeration of `unknown`, which stands for every value that it does not know."""
        try:
            return type(unknown)(self.text(name))
        except ValueError:
            return unknown

    def choices[E: StrEnum](self, name: str, kind: type[E]) -> tuple[E, ...]:
        """Return members of an enumeration that never grows; absent is empty."""
        try:
            return tuple(kind(text) for text in self.texts(name))
        except ValueError as error:
            raise self._wrong(name, f"a list of {', '.join(kind)}") from error

    def object(self, name: str) -> Reading:
        """Return an object that must be there."""
        return Reading.of(self.fields.get(name), f"{self.path}.{name}")

    def object_or_none[T](self, name: str, read: Callable[[Reading], T]) -> T | None:
        """Return what `read` makes of an object."""
        value = self.fields.get(name)
        if value is None:
            return None
        return _remembered(self.memory, name, value, lambda: read(Reading.of(value, f"{self.path}.{name}")))

    def mapping(self, name: str) -> Mapping[str, Any]:
        """Return an object of any content; absent is empty."""
        value = self.fields.get(name)
        if value is None:
            return {}
        return Reading.of(value, f"{self.path}.{name}").fields

    def objects[T](self, name: str, read: Callable[[Reading], T]) -> tuple[T, ...]:
        """Return what `read` makes of each object of a list; absent is empty."""
        values = self._list(name)
        return _remembered(
            self.memory,
            name,
            values,
            lambda: tuple(
                read(Reading.of(value, f"{self.path}.{name}[{index}]")) for index, value in enumerate(values)
            ),
        )

    async def objects_in_turns[T](self, name: str, read: Callable[[Reading], T]) -> tuple[T, ...]:
        """Return the same, with turns for other work between: for long lists."""
        found: list[T] = []
        turns = Turns()
        for index, value in enumerate(self._list(name)):
            found.append(read(Reading.of(value, f"{self.path}.{name}[{index}]")))
            await turns.give()
        return tuple(found)

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of texts; absent is empty."""
        values = self._list(name)
        if not all(isinstance(value, str) for value in values):
            raise self._wrong(name, "a list of texts")
        return tuple(values)

    def texts_or_none(self, name: str) -> tuple[str, ...] | None:
        """Return a list of texts; absent is None."""
        return None if self.fields.get(name) is None else self.texts(name)

    def _list(self, name: str) -> list[Any]:
        value = self.fields.get(name)
        if value is None:
            return []
        if not isinstance(value, list):
            raise self._wrong(name, "a list")
        return value

    def _required[T](self, name: str, value: T | None) -> T:
        if value is None:
            raise MalformedError(f"{self.path}.{name} is missing")
        return value

    def _wrong(self, name: str, expected: str) -> MalformedError:
        return MalformedError(f"{self.path}.{name} is not {expected}")


def _remembered[T](memory: Memory | None, name: str, value: object, read: Callable[[], T]) -> T:
    """Return what was read of the same value the last time, else what is read of it now."""
    if memory is None:
        return read()
    known = memory.get(name)
    if known is not None and known[0] == value:
        made: T = known[1]
        return made
    made = read()
    memory[name] = (value, made)
    return made
