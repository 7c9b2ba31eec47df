"""From an event of the bus to what readers are told: the board is brought up to date on the way."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import msgspec

from edge_gateway.api.asking import Services
from edge_gateway.api.events.board import READS_AS, Board
from edge_gateway.contracts import routes, subjects
from edge_gateway.contracts.commands import CommandOutcome, GetCommandRequest, with_outcome
from edge_gateway.contracts.envelope import Envelope
from edge_gateway.contracts.errors import DeadlineError, NotFoundError, UnavailableError
from edge_gateway.contracts.fleet import Asking, ListMowersRequest, MowerChanged, MowerReply, SiteChanged
from edge_gateway.contracts.groups import GroupChanged
from edge_gateway.contracts.identifiers import ACCOUNT_ID
from edge_gateway.contracts.mower import MowerAvailability, MowerState
from edge_gateway.contracts.schedules import Run, ScheduleChanged, ScheduleRequest
from edge_gateway.contracts.views import Change, MowerView

type Changes = Sequence[Change]
"""Changes without a cursor yet."""


class Translator:
    """Knows what each event means for the board."""

    def __init__(self, board: Board, services: Services) -> None:
        """Change `board`; ask `services` for the records that events only name."""
        self._board = board
        self._services = services
        self._by_type: dict[str, Callable[[Envelope], Awaitable[Changes]]] = {
            subjects.STATE_TYPE: self._state,
            subjects.AVAILABILITY_TYPE: self._availability,
            subjects.MAP_TYPE: self._map,
            subjects.OUTCOME_TYPE: self._outcome,
            subjects.MOWER_CHANGED: self._mower,
            subjects.SITE_CHANGED: self._site,
            subjects.GROUP_CHANGED: self._group,
            subjects.SCHEDULE_CHANGED: self._schedule,
            subjects.RUN_RECORDED: self._run,
        }

    async def translate(self, envelope: Envelope) -> Changes:
        """Return the changes; raises `UnavailableError` or `DeadlineError` when a record cannot be read now."""
        return await self._by_type.get(envelope.type, self._other)(envelope)

    def gateway_alive_changed(self, *, alive: bool, change_id: str) -> Changes:
        """Return the changes of mowers when the device gateway fell silent or came back."""
        mowers = self._board.mowers
        before = {view.id: view for view in mowers.views()}
        mowers.gateway_alive = alive
        return tuple(
            Change(cursor="", id=f"{change_id}:{view.id}", mower=view)
            for view in mowers.views()
            if view != before[view.id]
        )

    async def _state(self, envelope: Envelope) -> Changes:
        state = envelope.decode(MowerState)
        if state.backfill:
            return ()
        before = await self._view(state.mower_id)
        if before is None or not self._board.mowers.take_state(state):
            return ()
        return self._mower_change(envelope.id, state.mower_id, before)

    async def _availability(self, envelope: Envelope) -> Changes:
        availability = envelope.decode(MowerAvailability)
        before = await self._view(availability.mower_id)
        if before is None or not self._board.mowers.take_availability(availability):
            return ()
        return self._mower_change(envelope.id, availability.mower_id, before)

    async def _mower(self, envelope: Envelope) -> Changes:
        changed = envelope.decode(MowerChanged)
        before = self._board.mowers.view(changed.mower_id)
        record = None if changed.removed else await self._record(changed.mower_id)
        if record is None:
            removed = self._board.mowers.remove(changed.mower_id)
            return (Change(cursor="", id=envelope.id, mower_removed=changed.mower_id),) if removed else ()
        self._board.mowers.put_record(record)
        return self._mower_change(envelope.id, record.mower.id, before)

    async def _site(self, envelope: Envelope) -> Changes:
        changed = envelope.decode(SiteChanged)
        reply = await self._services.ask(routes.SITES_LIST, Asking(on_behalf_of=READS_AS, account_id=ACCOUNT_ID))
        sites = {site.id: site for site in reply.items}
        before = self._board.sites.pop(changed.site_id, None)
        site = sites.get(changed.site_id)
        if site is None:
            return () if before is None else (Change(cursor="", id=envelope.id, site_removed=changed.site_id),)
        self._board.sites[site.id] = site
        return () if site == before else (Change(cursor="", id=envelope.id, site=site),)

    async def _group(self, envelope: Envelope) -> Changes:
        changed = envelope.decode(GroupChanged)
        reply = await self._services.ask(routes.GROUPS_LIST, Asking(on_behalf_of=READS_AS, account_id=ACCOUNT_ID))
        before = self._board.groups.pop(changed.group_id, None)
        group = next((group for group in reply.items if group.id == changed.group_id), None)
        if group is None:
            return () if before is None else (Change(cursor="", id=envelope.id, group_removed=changed.group_id),)
        self._board.groups[group.id] = group
        return () if group == before else (Change(cursor="", id=envelope.id, group=group),)

    async def _schedule(self, envelope: Envelope) -> Changes:
        changed = envelope.decode(ScheduleChanged)
        return await self._schedule_now(changed.schedule_id, envelope.id, removed=changed.removed)

    async def _outcome(self, envelope: Envelope) -> Changes:
        outcome = envelope.decode(CommandOutcome)
        question = GetCommandRequest(on_behalf_of=READS_AS, account_id=ACCOUNT_ID, command_id=outcome.command_id)
        try:
            command = await self._services.ask(routes.COMMANDS_GET, question)
        except NotFoundError:
            return ()
        # The Fleet hears of the outcome at the same time as we do: its record may still be the one before.
        return (Change(cursor="", id=envelope.id, command=with_outcome(command, outcome)),)

    async def _run(self, envelope: Envelope) -> Changes:
        run = envelope.decode(Run)
        change = Change(cursor="", id=envelope.id, run=run)
        try:
            # A schedule shows its last run.
            return (change, *await self._schedule_now(run.schedule_id, f"{envelope.id}:schedule"))
        except UnavailableError, DeadlineError:
            return (change,)

    async def _schedule_now(self, schedule_id: str, change_id: str, *, removed: bool = False) -> Changes:
        """Read a schedule; its change, if it is not what it was."""
        question = ScheduleRequest(on_behalf_of=READS_AS, account_id=ACCOUNT_ID, schedule_id=schedule_id)
        try:
            schedule = None if removed else await self._services.ask(routes.SCHEDULES_GET, question)
        except NotFoundError:
            schedule = None
        before = self._board.schedules.pop(schedule_id, None)
        if schedule is None:
            return () if before is None else (Change(cursor="", id=change_id, schedule_removed=schedule_id),)
        self._board.schedules[schedule.id] = schedule
        return () if schedule == before else (Change(cursor="", id=change_id, schedule=schedule),)

    async def _map(self, envelope: Envelope) -> Changes:
        # A map is large and seldom drawn: readers are told, and ask for it when they need it.
        return (_other_change(envelope, {"mower_id": envelope.subject_id}),)

    async def _other(self, envelope: Envelope) -> Changes:
        return (_other_change(envelope, msgspec.json.decode(envelope.payload)),)

    async def _view(self, mower_id: str) -> MowerView | None:
        """Return a mower's view, with its record read when it was not known."""
        if self._board.mowers.record(mower_id) is None:
            record = await self._record(mower_id)
            if record is not None:
                self._board.mowers.put_record(record)
        return self._board.mowers.view(mower_id)

    async def _record(self, mower_id: str) -> MowerReply | None:
        question = ListMowersRequest(on_behalf_of=READS_AS, account_id=ACCOUNT_ID, mower_id=mower_id)
        try:
            items = (await self._services.ask(routes.MOWERS_LIST, question)).items
        except NotFoundError:
            return None
        return items[0] if items else None

    def _mower_change(self, change_id: str, mower_id: str, before: MowerView | None) -> Changes:
        """Return the change of a mower whose view is not what it was."""
        view = self._board.mowers.view(mower_id)
        if view is None or view == before:
            return ()
        return (Change(cursor="", id=change_id, mower=view),)


def _other_change(envelope: Envelope, payload: Any) -> Change:  # noqa: ANN401  # any JSON
    return Change(
        cursor="",
        id=envelope.id,
        event={
            "type": envelope.type,
            "occurred_at": envelope.occurred_at,
            "subject_id": envelope.subject_id,
            "payload": payload,
        },
    )
