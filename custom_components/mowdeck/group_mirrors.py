"""The mirrors of groups: what the event stream tells of them is all that is needed."""

from typing import override

from homeassistant.core import callback

from .client.group import Group
from .followed import Followed
from .mirrors import Kind


class GroupMirrors(Followed):
    """The groups of one gateway."""

    kind = Kind.GROUP

    @callback
    @override
    def start(self) -> None:
        self._hub.groups.on_any(self._changed)
        super().start()

    @callback
    def _changed(self, _group: Group) -> None:
        self.look_soon()

    @override
    async def _look(self) -> None:
        if self._hub.info.services.get("fleet", True):
            self._hub.mirrors.take(self.kind, {group.id: group.name for group in self._hub.groups.views.values()})
