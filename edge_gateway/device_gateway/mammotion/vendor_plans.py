"""The plans that the vendor's app stored on a mower: it starts by them on its own, beside our schedules.

Two schedulers fight over one mower, so each plan is shown with a warning while it is on, and can be switched off. A
plan is written back as it was read but for its switch: whoever sends it with other bytes changes its owner's settings.
"""

from typing import Any

from pymammotion.data.model.hash_list import Plan
from pymammotion.proto import LubaMsg, NavPlanJobSet

from edge_gateway.contracts.device import Setting
from edge_gateway.contracts.errors import DeadlineError, InvalidError, NotFoundError
from edge_gateway.device_gateway.mammotion.mower_link import MowerLink

ALL_PLANS = "vendor_plans"
ONE_PLAN = "vendor_plan_"
TWO_SCHEDULERS = "two_schedulers"
"""The warning of a plan that is on."""
_READ = 2
"""The wire's word for reading a plan."""
_SWITCH = ("on", "off")


class VendorPlans:
    """Lists one mower's own plans and switches them."""

    def __init__(self, link: MowerLink, *, answer_seconds: float) -> None:
        """Know none until `read`."""
        self._link = link
        self._seconds = answer_seconds
        self._plans: dict[str, Plan] | None = None

    @property
    def known(self) -> bool:
        """Whether they were read."""
        return self._plans is not None

    def list(self) -> tuple[Setting, ...]:
        """Return a switch for each plan and one for all; nothing until they were read."""
        if self._plans is None:
            return ()
        plans = self._plans.values()
        one_by_one = (
            _switch(f"{ONE_PLAN}{plan.plan_id}", on=plan.is_enabled(), label=plan.task_name or None) for plan in plans
        )
        return (_switch(ALL_PLANS, on=any(plan.is_enabled() for plan in plans), label=None), *one_by_one)

    async def read(self, *, person: bool) -> None:
        """Ask the mower for its plans: one question each.

        Raises `UnavailableError`, `silent` when it does not answer.
        """
        plans: dict[str, Plan] = {}
        index, total = 0, 1
        while index < total:
            wire = await self._ask_for(index, person=person)
            total = wire.total_plan_num
            if total and wire.plan_id:
                plans[wire.plan_id] = self._decoded(wire)
            index += 1
        self._plans = plans

    async def put(self, key: str, value: Any) -> None:  # noqa: ANN401  # a setting's value is JSON
        """Switch one plan, or all of them off; returns when the mower shows it.

        Raises `InvalidError` naming the field, `NotFoundError` for a plan that is gone, `DeadlineError`
        (`not_confirmed`).
        """
        if value not in _SWITCH:
            raise InvalidError("invalid_value", f"The setting {key} is on or off.", field="setting_value")
        if key == ALL_PLANS and value == "on":
            raise InvalidError("invalid_value", "Plans are switched on one by one.", field="setting_value")
        await self.read(person=True)
        plans = self._plans or {}
        chosen = tuple(plans) if key == ALL_PLANS else (key.removeprefix(ONE_PLAN),)
        if not set(chosen) <= set(plans):
            raise NotFoundError("plan_gone", "The mower has no such plan any more.")
        for plan_id in chosen:
            if plans[plan_id].is_enabled() != (value == "on"):
                payload = self._link.handle.commands.enable_plan(plans[plan_id], value == "on")
                await self._link.send(payload, person=True)
        await self.read(person=True)
        plans = self._plans or {}
        if any(plan_id in plans and plans[plan_id].is_enabled() != (value == "on") for plan_id in chosen):
            raise DeadlineError("not_confirmed", "The mower does not show the plan switched.")

    async def _ask_for(self, index: int, *, person: bool) -> NavPlanJobSet:
        def pick(message: LubaMsg) -> NavPlanJobSet | None:
            wire = message.nav.todev_planjob_set if message.nav is not None else None
            told = wire is not None and wire.sub_cmd == _READ and (wire.plan_index == index or wire.total_plan_num == 0)
            return wire if told else None

        payload = self._link.handle.commands.read_plan(sub_cmd=_READ, plan_index=index)
        return await self._link.ask(payload, pick, seconds=self._seconds, person=person)

    def _decoded(self, wire: NavPlanJobSet) -> Plan:
        return Plan.from_wire(wire, self._link.name, self._link.handle.resolved_product_key)


def _switch(key: str, *, on: bool, label: str | None) -> Setting:
    return Setting(
        key=key,
        value="on" if on else "off",
        allowed=_SWITCH,
        label=label,
        warning=TWO_SCHEDULERS if on else None,
    )
