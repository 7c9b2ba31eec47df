"""Providers without a login: the template for new vendors runs in the gateway as it passes the conformance kit."""

from typing import override

import pytest

from edge_gateway.contracts.commands import CommandKind, CommandStatus
from edge_gateway.contracts.errors import UnavailableError
from edge_gateway.contracts.mower import Activity
from edge_gateway.device_gateway.provider import ProviderListener
from tests.provider.template.machine import ExampleMower
from tests.provider.template.provider import ExampleProvider
from tests.service.device_gateway.town import Town

EXAMPLE = "fleet-EX-1"


class Late(ExampleProvider):
    """Its mower is switched off when the gateway starts."""

    fails_with: Exception | None = None

    @override
    async def start(self, listener: ProviderListener) -> None:
        if self.fails_with is not None:
            error, self.fails_with = self.fails_with, None
            raise error
        await super().start(listener)


async def test_the_template_is_driven_through_the_whole_service(town: Town) -> None:
    mower = ExampleMower("EX-1")
    store = await town.memory("example")
    service = await town.service(mowers=0, providers=[ExampleProvider((mower,), clock=town.clock, store=store)])
    await town.seen(Activity.DOCKED, EXAMPLE)
    for kind, activity in (
        (CommandKind.START_MOW, Activity.MOWING),
        (CommandKind.PAUSE, Activity.PAUSED),
        (CommandKind.RETURN_TO_DOCK, Activity.DOCKED),
    ):
        command_id = await town.order(kind, mower_id=EXAMPLE)
        assert (await town.final(command_id)).status is CommandStatus.CONFIRMED
        await town.seen(activity, EXAMPLE)
    assert mower.orders == ["cut", "halt", "go_home"]
    # The mower has no ids of its jobs: after a restart its job is the same one, and still ours.
    known = town.last(EXAMPLE)
    await service.stop()
    heard = len(town.states)
    await town.service(mowers=0, providers=[ExampleProvider((mower,), clock=town.clock, store=store)])
    await town.until(lambda: len(town.states) > heard)
    last = town.last(EXAMPLE)
    assert known is not None
    assert last is not None
    assert last.job == known.job
    assert last.job is not None
    assert last.job.command_id is not None


@pytest.mark.parametrize("error", [UnavailableError("vendor_offline", "Switched off."), OSError("no route to host")])
async def test_a_provider_that_cannot_start_yet_keeps_nobody_away_and_is_tried_again(
    town: Town, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    monkeypatch.setattr("edge_gateway.device_gateway.local_providers._LONGEST_BACK_OFF_SECONDS", 0.05)
    late = Late((ExampleMower("EX-1"),), clock=town.clock, store=await town.memory("example"))
    late.fails_with = error
    await town.service(mowers=1, providers=[late])
    await town.seen(Activity.DOCKED)
    await town.seen(Activity.DOCKED, EXAMPLE)
