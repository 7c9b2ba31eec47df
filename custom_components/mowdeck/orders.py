"""What became of the orders that were given: outcomes come over the event stream, in any order with the answers."""

import asyncio
import contextlib
from collections import OrderedDict
from dataclasses import dataclass, field

from homeassistant.core import callback

from .client.command import Command, CommandStatus

REMEMBERED = 200
"""Commands of the past: an outcome may be here before the answer to its order is."""

_REACHED = {
    CommandStatus.UNKNOWN: 0,
    CommandStatus.ACCEPTED: 1,
    CommandStatus.SENT: 2,
    CommandStatus.ACKNOWLEDGED: 3,
}
"""How far a status is; the final ones are farthest."""


@dataclass(kw_only=True)
class _Tracked:
    """A command as far as it is known, and whether it ended."""

    command: Command
    ended: asyncio.Event = field(default_factory=asyncio.Event)


class Orders:
    """The last commands by id."""

    def __init__(self) -> None:
        """Start with none."""
        self._tracked: OrderedDict[str, _Tracked] = OrderedDict()

    @callback
    def observe(self, command: Command) -> None:
        """Note how far a command has come; an older status that comes late changes nothing."""
        self._track(command)

    async def outcome(self, command: Command, seconds: float) -> Command:
        """Wait for the end of a command, and return what is known of it by then."""
        tracked = self._track(command)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await tracked.ended.wait()
        return tracked.command

    def _track(self, command: Command) -> _Tracked:
        tracked = self._tracked.setdefault(command.id, _Tracked(command=command))
        if _reached(command) > _reached(tracked.command):
            tracked.command = command
        if tracked.command.final:
            tracked.ended.set()
        if len(self._tracked) > REMEMBERED:
            self._tracked.popitem(last=False)
        return tracked


def _reached(command: Command) -> int:
    return _REACHED.get(command.status, len(_REACHED))
