"""Following what was started: seen moving in its time, sent home when it has to be, over when it is over."""

from dataclasses import dataclass
from datetime import timedelta

import structlog

from edge_gateway.contracts.commands import Command
from edge_gateway.contracts.errors import DeadlineError, MowDeckError, NotFoundError, UnavailableError
from edge_gateway.contracts.schedules import RunOutcome
from edge_gateway.scheduler import follow_up, recording
from edge_gateway.scheduler.mower_watch import refresh
from edge_gateway.scheduler.progress import follow, is_not_answered_for
from edge_gateway.scheduler.records import FollowUpRecord, RunRecord
from edge_gateway.scheduler.repository import follow_ups, mower_rows, schedule_mowers
from edge_gateway.scheduler.repository import runs as run_rows
from edge_gateway.scheduler.repository.transactions import Connection, connection, transaction
from edge_gateway.scheduler.scenes import Around, look_around, scene_of
from edge_gateway.scheduler.sending import Sending
from edge_gateway.scheduler.surroundings import Surroundings

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Answer:
    """What Fleet says of a run's order."""

    command: Command | None
    never_taken: bool = False


_NOT_ASKED = _Answer(None)


class Following:
    """Looks at every run that is followed."""

    def __init__(self, surroundings: Surroundings) -> None:
        """Work with these."""
        self._surroundings = surroundings
        self._sending = Sending(surroundings)

    async def follow_all(self) -> None:
        """Write what has become of each; one that another replica holds is left to it."""
        async with connection(self._surroundings.pool) as lent:
            followed = await run_rows.followed(lent)
        for mower_id, account_id in sorted({(run.mower_id, run.account_id) for run in followed if run.mower_id}):
            await refresh(self._surroundings, mower_id, account_id)
        fleet_answers = True
        for run in followed:
            answer = _NOT_ASKED
            if fleet_answers and _is_to_be_asked_for(run):
                answer, fleet_answers = await self._answer(run)
            around = await look_around(self._surroundings, run) if fleet_answers else None
            order = await self._follow(run, answer, around)
            if order is not None and around is not None:
                await self._sending.give(run, order, around.account_owner)

    async def _follow(self, run: RunRecord, answer: _Answer, around: Around | None) -> FollowUpRecord | None:
        """Write what has become of a run; return the order that is to be given, which is written too."""
        if run.mower_id is None:
            return None
        now = self._surroundings.now()
        async with transaction(self._surroundings.pool) as lent:
            current = await run_rows.lock_unless_held(lent, run.id)
            if current is None or not current.followed or current.outcome is None or current.attempt != run.attempt:
                return None
            changed = follow(
                current,
                await mower_rows.get(lent, run.mower_id, run.account_id),
                command=answer.command,
                never_taken=answer.never_taken,
                superseded_at=await run_rows.superseded_at(lent, current),
                now=now,
                confirm_within=timedelta(seconds=self._surroundings.settings.confirm_seconds),
                person=None if around is None else follow_up.users_command(current, around.commands),
            )
            changed, order = await self._look_after(lent, changed, around)
            if changed is not current:
                await recording.save_run(lent, current, changed, now)
                await self._turn(lent, current, changed)
        return order

    async def _look_after(
        self, lent: Connection, run: RunRecord, around: Around | None
    ) -> tuple[RunRecord, FollowUpRecord | None]:
        """Bring a locked run's orders up to date, and write the one that is to be given now."""
        if around is None or run.mower_id is None or not run.followed:
            return run, None
        now = self._surroundings.now()
        mower = await mower_rows.get(lent, run.mower_id, run.account_id)
        scene = scene_of(run, around, mower, self._surroundings, now)
        orders = []
        for known in await follow_ups.of_run(lent, run.id):
            orders.append(follow_up.brought_up_to_date(known, around.commands, now))
            if orders[-1] != known:
                await follow_ups.put(lent, orders[-1])
        order = follow_up.next_order(run, scene, orders)
        run = follow_up.seen(run, mower, orders)
        if order is not None:
            await follow_ups.put(lent, order)
            run = follow_up.sent(run, order, scene)
        return run, order

    async def _turn(self, lent: Connection, before: RunRecord, after: RunRecord) -> None:
        """Let the schedule's next angle have its turn when a start is confirmed."""
        number = after.numbers.get("angle_number")
        if before.confirmed_at is None and after.confirmed_at is not None and after.mower_id and number is not None:
            await schedule_mowers.save_turn(lent, after.schedule_id, after.mower_id, number + 1)

    async def _answer(self, run: RunRecord) -> tuple[_Answer, bool]:
        """Return what Fleet knows of a run's order, and whether it answers: a silent one is asked once a tick."""
        try:
            return _Answer(await self._surroundings.fleet.order_of(run)), True
        except NotFoundError:
            return _Answer(None, never_taken=True), True
        except (UnavailableError, DeadlineError) as error:
            _log.warning("fleet is silent", run=run.id, code=error.code)
            return _NOT_ASKED, False
        except MowDeckError as error:
            _log.warning("order not to be had", run=run.id, code=error.code)
            return _NOT_ASKED, True


def _is_to_be_asked_for(run: RunRecord) -> bool:
    """Tell whether Fleet knows more of a run's order than the mower's reports do."""
    return run.confirmed_at is None and (run.outcome is RunOutcome.STARTED or is_not_answered_for(run))
