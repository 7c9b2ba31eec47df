"""Running a schedule at once: whoever asks is told when a mower does not start, and why."""

import asyncio
import contextlib
from collections.abc import Iterable
from uuid import uuid4

from homeassistant.core import HomeAssistant, callback
from homeassistant.exceptions import HomeAssistantError

from .answers import Words
from .client.caller import Caller
from .client.run import Run, RunOutcome
from .const import DOMAIN
from .failures import translated
from .happenings import Happening
from .hub import Hub
from .phrases import Phrases
from .told_errors import Whose

UNDER_WAY = frozenset({RunOutcome.STARTED, RunOutcome.PENDING, RunOutcome.UNKNOWN})
"""Outcomes of a run that was not refused, as far as is known."""


async def run_now(hub: Hub, schedule_id: str, caller: Caller) -> tuple[Run, ...]:
    """Run a schedule, and return its runs as they are once they are settled, or after the time for an outcome."""
    latest: dict[str, Run] = {}
    changed = asyncio.Event()

    @callback
    def hear(happening: Happening) -> None:
        if isinstance(happening, Run) and happening.schedule_id == schedule_id and happening.run_now:
            _keep(latest, happening)
            changed.set()

    # The first news of a run may come before the answer does.
    stop_hearing = hub.on_happening(hear)
    try:
        with translated(hub, Whose.of(hub.schedules.views[schedule_id].target)):
            answered = await hub.client.run_schedule_now(schedule_id, key=uuid4().hex, caller=caller)
        for run in answered:
            _keep(latest, run)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(hub.outcome_seconds):
                while not all(_is_settled(latest[run.id]) for run in answered):
                    changed.clear()
                    await changed.wait()
    finally:
        stop_hearing()
    return tuple(latest[run.id] for run in answered)


async def check_started(hass: HomeAssistant, hub: Hub, runs: Iterable[Run]) -> None:
    """Raise when a mower was left out or failed to start, with the reason of each in the language of the house."""
    refused = [run for run in runs if run.outcome not in UNDER_WAY]
    if not refused:
        return
    phrases = await Phrases.load(hass, hass.config.language)
    said = []
    for run in refused:
        schedule = hub.schedules.views.get(run.schedule_id)
        mower = None if run.mower_id is None else hub.mowers.views.get(run.mower_id)
        named = mower or schedule
        reason = phrases.reason(Words.RUN, run.reason or run.outcome.value)
        said.append(f"{run.schedule_id if named is None else named.name}: {reason}")
    raise HomeAssistantError(
        translation_domain=DOMAIN,
        translation_key="run_not_started",
        translation_placeholders={"reasons": "; ".join(said)},
    )


def _keep(latest: dict[str, Run], run: Run) -> None:
    known = latest.get(run.id)
    if known is None or run.revision >= known.revision:
        latest[run.id] = run


def _is_settled(run: Run) -> bool:
    """Tell whether it is known whether the mower started."""
    if run.outcome is RunOutcome.PENDING:
        return False
    return run.outcome is not RunOutcome.STARTED or run.confirmed_at is not None or run.final
