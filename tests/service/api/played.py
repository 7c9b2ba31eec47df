"""Scheduler and device gateway as the tests play them: they keep what they are told, and say what was told."""

from datetime import timedelta
from typing import Any

import msgspec

from edge_gateway.bus.protocol import EventBus, Subscription
from edge_gateway.contracts import routes, subjects
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.device import Health, MapReply, MowerRequest, Nothing, Setting, SettingsReply
from edge_gateway.contracts.envelope import wrap
from edge_gateway.contracts.errors import ConflictError, NotFoundError
from edge_gateway.contracts.fleet import (
    Asking,
    CreateVendorAccountRequest,
    DeleteVendorAccountRequest,
    ListVendorAccountsReply,
    UpdateVendorAccountRequest,
    VendorAccount,
)
from edge_gateway.contracts.identifiers import new_id, run_event_id
from edge_gateway.contracts.map import MowerMap
from edge_gateway.contracts.problems import ProblemsReply
from edge_gateway.contracts.schedules import (
    CreateScheduleRequest,
    ListRunsReply,
    ListRunsRequest,
    ListSchedulesReply,
    ListSchedulesRequest,
    NamedSchedule,
    Run,
    RunNowReply,
    RunNowRequest,
    RunOutcome,
    Schedule,
    ScheduleChanged,
    ScheduleRequest,
    SchedulesOfGroupReply,
    SchedulesOfGroupRequest,
    SkipRequest,
    UpdateScheduleRequest,
)


class PlayedScheduler:
    """Keeps schedules in memory."""

    def __init__(self, bus: EventBus, clock: Clock) -> None:
        """Know no schedule."""
        self.bus = bus
        self.clock = clock
        self.schedules: dict[str, Schedule] = {}
        self.runs: list[Run] = []
        self.asked: list[Any] = []
        """The questions that were asked, newest last."""
        self._replies: list[Subscription] = []

    async def start(self) -> None:
        """Answer."""
        reply = self.bus.reply
        self._replies = [
            await reply(routes.SCHEDULES_LIST, self._list),
            await reply(routes.SCHEDULES_OF_GROUP, self._of_group),
            await reply(routes.SCHEDULES_CREATE, self._create),
            await reply(routes.SCHEDULES_GET, self._get),
            await reply(routes.SCHEDULES_UPDATE, self._update),
            await reply(routes.SCHEDULES_DELETE, self._delete),
            await reply(routes.SCHEDULES_RUN_NOW, self._run_now),
            await reply(routes.SCHEDULES_SKIP_NEXT, self._skip),
            await reply(routes.SCHEDULES_UNSKIP_NEXT, self._unskip),
            await reply(routes.RUNS_LIST, self._list_runs),
            await reply(routes.health_route("scheduler"), self._health),
        ]

    async def stop(self) -> None:
        """Answer no more."""
        for reply in self._replies:
            await reply.unsubscribe()
        self._replies.clear()

    async def tell_changed(self, schedule_id: str, *, removed: bool = False) -> None:
        """Tell that a schedule changed."""
        changed = ScheduleChanged(schedule_id=schedule_id, removed=removed)
        await self._tell(subjects.SCHEDULE_CHANGED, changed, new_id(), schedule_id)

    async def tell_run(self, run: Run) -> None:
        """Tell a run's revision."""
        await self._tell(subjects.RUN_RECORDED, run, run_event_id(run.id, run.revision), run.schedule_id)

    def make_run(self, schedule_id: str, *, mower_id: str = "m1") -> Run:
        """Return a run that started."""
        now = self.clock.now()
        return Run(
            id=new_id(),
            account_id="home",
            schedule_id=schedule_id,
            mower_id=mower_id,
            occurrence_at=now,
            window_ends_at=now + timedelta(hours=1),
            outcome=RunOutcome.STARTED,
            revision=1,
            final=False,
            owner="user:owner",
            created_at=now,
        )

    async def _list(self, question: ListSchedulesRequest) -> ListSchedulesReply:
        self.asked.append(question)
        found = [
            schedule
            for schedule_id, schedule in sorted(self.schedules.items())
            if (question.after is None or schedule_id > question.after)
            and question.mower_id in (None, schedule.target.mower_id)
        ]
        page = tuple(found[: question.limit])
        return ListSchedulesReply(items=page, next=page[-1].id if len(found) > len(page) else None)

    async def _of_group(self, question: SchedulesOfGroupRequest) -> SchedulesOfGroupReply:
        found = (one for one in self.schedules.values() if one.target.group_id == question.group_id)
        return SchedulesOfGroupReply(items=tuple(NamedSchedule(id=one.id, name=one.name) for one in found))

    async def _create(self, question: CreateScheduleRequest) -> Schedule:
        self.asked.append(question)
        draft = question.draft
        now = self.clock.now()
        schedule = Schedule(
            id=new_id(),
            account_id=question.account_id,
            owner=question.on_behalf_of,
            effective_time_zone=draft.time_zone or "UTC",
            created_at=now,
            changed_at=now,
            **{name: getattr(draft, name) for name in draft.__struct_fields__},
        )
        self.schedules[schedule.id] = schedule
        await self.tell_changed(schedule.id)
        return schedule

    async def _get(self, question: ScheduleRequest) -> Schedule:
        return self._find(question.schedule_id)

    async def _update(self, question: UpdateScheduleRequest) -> Schedule:
        self.asked.append(question)
        known = self._find(question.schedule_id)
        merged = msgspec.to_builtins(known) | question.changes | {"changed_at": self.clock.now()}
        self.schedules[known.id] = msgspec.convert(merged, Schedule)
        await self.tell_changed(known.id)
        return self.schedules[known.id]

    async def _delete(self, question: ScheduleRequest) -> Nothing:
        del self.schedules[self._find(question.schedule_id).id]
        await self.tell_changed(question.schedule_id, removed=True)
        return Nothing()

    async def _run_now(self, question: RunNowRequest) -> RunNowReply:
        self.asked.append(question)
        return RunNowReply(runs=(self.make_run(self._find(question.schedule_id).id),))

    async def _skip(self, question: SkipRequest) -> Schedule:
        self.asked.append(question)
        known = self._find(question.schedule_id)
        if known.next_run_skipped:
            raise ConflictError("already_skipped", "The next run is skipped already.")
        self.schedules[known.id] = msgspec.structs.replace(known, next_run_skipped=True)
        return self.schedules[known.id]

    async def _unskip(self, question: SkipRequest) -> Schedule:
        self.asked.append(question)
        known = self._find(question.schedule_id)
        self.schedules[known.id] = msgspec.structs.replace(known, next_run_skipped=False)
        return self.schedules[known.id]

    async def _list_runs(self, question: ListRunsRequest) -> ListRunsReply:
        self.asked.append(question)
        return ListRunsReply(items=tuple(self.runs[: question.limit]), next="older" if self.runs else None)

    async def _health(self, _question: Nothing) -> Health:
        return Health(service="scheduler", ready=True, started_at=self.clock.now())

    def _find(self, schedule_id: str) -> Schedule:
        schedule = self.schedules.get(schedule_id)
        if schedule is None:
            raise NotFoundError("not_found", "There is no such schedule.", field="schedule_id")
        return schedule

    async def _tell(self, subject: str, payload: msgspec.Struct, event_id: str, subject_id: str) -> None:
        envelope = wrap(
            payload,
            id=event_id,
            type=subject,
            occurred_at=self.clock.now(),
            account_id="home",
            subject_id=subject_id,
        )
        await self.bus.publish(subject, envelope)


class PlayedDeviceGateway:
    """Knows one map, one setting, and logins that are never refused."""

    def __init__(self, bus: EventBus, clock: Clock) -> None:
        """Know no login."""
        self.bus = bus
        self.clock = clock
        self.map: MowerMap | None = None
        self.accounts: dict[str, VendorAccount] = {}
        self.passwords: list[str] = []
        self._replies: list[Subscription] = []

    async def start(self) -> None:
        """Answer."""
        reply = self.bus.reply
        self._replies = [
            await reply(routes.MAPS_GET, self._map),
            await reply(routes.SETTINGS_LIST, self._settings),
            await reply(routes.PROBLEMS_GET, self._problems),
            await reply(routes.VENDOR_ACCOUNTS_LIST, self._list),
            await reply(routes.VENDOR_ACCOUNTS_CREATE, self._create),
            await reply(routes.VENDOR_ACCOUNTS_UPDATE, self._update),
            await reply(routes.VENDOR_ACCOUNTS_DELETE, self._delete),
            await reply(routes.health_route("device_gateway"), self._health),
        ]

    async def stop(self) -> None:
        """Answer no more."""
        for reply in self._replies:
            await reply.unsubscribe()
        self._replies.clear()

    async def _map(self, _question: MowerRequest) -> MapReply:
        return MapReply(map=self.map)

    async def _settings(self, _question: MowerRequest) -> SettingsReply:
        setting = Setting(key="blade_height_mm", value=50, minimum=20, maximum=70, unit="mm")
        return SettingsReply(items=(setting,))

    async def _problems(self, _question: MowerRequest) -> ProblemsReply:
        return ProblemsReply(current=None, log=())

    async def _list(self, _question: Asking) -> ListVendorAccountsReply:
        return ListVendorAccountsReply(items=tuple(self.accounts.values()))

    async def _create(self, question: CreateVendorAccountRequest) -> VendorAccount:
        self.passwords.append(question.password)
        account = VendorAccount(
            id=new_id(),
            account_id=question.account_id,
            provider=question.provider,
            username=question.username,
            status="connected",
            created_at=self.clock.now(),
        )
        self.accounts[account.id] = account
        return account

    async def _update(self, question: UpdateVendorAccountRequest) -> VendorAccount:
        self.passwords.append(question.password)
        return self._find(question.vendor_account_id)

    async def _delete(self, question: DeleteVendorAccountRequest) -> Nothing:
        del self.accounts[self._find(question.vendor_account_id).id]
        return Nothing()

    async def _health(self, _question: Nothing) -> Health:
        return Health(service="device_gateway", ready=True, started_at=self.clock.now())

    def _find(self, vendor_account_id: str) -> VendorAccount:
        account = self.accounts.get(vendor_account_id)
        if account is None:
            raise NotFoundError("not_found", "There is no such login.", field="vendor_account_id")
        return account
