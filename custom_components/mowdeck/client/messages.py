"""The messages of the event stream `GET /api/v1/events`: hello, snapshot, change."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from .command import Command
from .group import Group
from .info import Info
from .mower import Mower
from .reading import Memory, Reading
from .run import Run
from .schedule import Schedule
from .site import Site


@dataclass(frozen=True, kw_only=True)
class Hello:
    """The first message of a connection."""

    info: Info
    resumed: bool
    """The cursor was known: no snapshot follows, only the changes since."""

    @classmethod
    def read(cls, reading: Reading) -> Self:
        """Read it from JSON."""
        return cls(info=Info.read(reading.object("info")), resumed=reading.flag("resumed"))


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """Everything that the principal sees."""

    cursor: str
    mowers: tuple[Mower, ...]
    schedules: tuple[Schedule, ...]
    sites: tuple[Site, ...]
    groups: tuple[Group, ...]

    @classmethod
    async def read(cls, reading: Reading, read_mower: Callable[[Reading], Mower]) -> Self:
        """Read it from JSON, with turns for other work between."""
        return cls(
            cursor=reading.text("cursor"),
            mowers=await reading.objects_in_turns("mowers", read_mower),
            schedules=await reading.objects_in_turns("schedules", Schedule.read),
            sites=reading.objects("sites", Site.read),
            groups=reading.objects("groups", Group.read),
        )


@dataclass(frozen=True, kw_only=True)
class Change:
    """One thing changed: exactly one of the fields besides `cursor` and `id` is there."""

    cursor: str
    id: str
    """The event's id: a reader acts once per id."""
    mower: Mower | None
    mower_removed: str | None
    schedule: Schedule | None
    schedule_removed: str | None
    site: Site | None
    site_removed: str | None
    group: Group | None
    group_removed: str | None
    run: Run | None
    command: Command | None
    event: Mapping[str, Any] | None
    """Any other event: its type and payload."""

    @classmethod
    def read(cls, reading: Reading, read_mower: Callable[[Reading], Mower]) -> Self:
        """Read it from JSON."""
        return cls(
            cursor=reading.text("cursor"),
            id=reading.text("id"),
            mower=reading.object_or_none("mower", read_mower),
            mower_removed=reading.text_or_none("mower_removed"),
            schedule=reading.object_or_none("schedule", Schedule.read),
            schedule_removed=reading.text_or_none("schedule_removed"),
            site=reading.object_or_none("site", Site.read),
            site_removed=reading.text_or_none("site_removed"),
            group=reading.object_or_none("group", Group.read),
            group_removed=reading.text_or_none("group_removed"),
            run=reading.object_or_none("run", Run.read),
            command=reading.object_or_none("command", Command.read),
            event=reading.object_or_none("event", lambda event: event.fields),
        )

    @property
    def happening(self) -> Run | Mapping[str, Any] | None:
        """What happened, as opposed to how something now is: acted upon once per id."""
        return self.run if self.run is not None else self.event


type Message = Hello | Snapshot | Change


class MessageReader:
    """Reads the messages of one stream: a mower reports every second, and most of it is as it was."""

    def __init__(self) -> None:
        """Remember nothing."""
        self._memories: dict[str, Memory] = {}
        """Of each mower, by its id."""

    async def read(self, value: object) -> Message | None:
        """Read a message; one of a type that is newer than this client is None. Raises `MalformedError`."""
        reading = Reading.of(value, "message")
        match reading.text("type"):
            case "change":
                return Change.read(reading, self._read_mower)
            case "snapshot":
                self._memories.clear()
                return await Snapshot.read(reading, self._read_mower)
            case "hello":
                return Hello.read(reading)
            case _:
                return None

    def _read_mower(self, reading: Reading) -> Mower:
        return Mower.read(reading.remembering(self._memories.setdefault(reading.text("id"), {})))
