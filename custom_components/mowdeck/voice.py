"""What can be said and asked of mowers, for intents and for language models alike."""

from dataclasses import dataclass, replace

from homeassistant.components.lawn_mower.const import DOMAIN as LAWN_MOWER
from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import Context, HomeAssistant, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.intent import MatchTargetsConstraints, async_match_targets
from homeassistant.util import dt as dt_util

from .acting import caller_of
from .answers import Answer, next_mow, when_next, why_not
from .client.caller import Origin
from .client.mower import Mower
from .client.schedule import Schedule
from .const import DOMAIN
from .failures import translated
from .hub import Hub, MowDeckConfigEntry
from .rights import Right, check


@dataclass(frozen=True, kw_only=True)
class Meant:
    """A mower that somebody speaks of."""

    hub: Hub
    mower_id: str
    name: str
    """As it is called here."""

    @property
    def mower(self) -> Mower:
        """The mower."""
        return self.hub.mowers.views[self.mower_id]

    @property
    def schedules(self) -> tuple[Schedule, ...]:
        """Its own plans."""
        return tuple(each for each in self.hub.schedules.views.values() if each.target.mower_id == self.mower_id)


@callback
def meant_mowers(hass: HomeAssistant, assistant: str | None, name: str | None) -> tuple[Meant, ...]:
    """Return the mowers of ours that an assistant may know of: the one of a name, or all."""
    found = async_match_targets(hass, MatchTargetsConstraints(name=name, domains={LAWN_MOWER}, assistant=assistant))
    registry = er.async_get(hass)
    hubs = _hubs(hass)
    meant = []
    for state in found.states:
        entry = registry.async_get(state.entity_id)
        if entry is None or entry.platform != DOMAIN:
            continue
        hub = hubs.get(entry.config_entry_id or "")
        if hub is not None and entry.unique_id in hub.mowers.views:
            meant.append(Meant(hub=hub, mower_id=entry.unique_id, name=name or state.name))
    return tuple(sorted(meant, key=lambda each: each.name))


def one_of(meant: tuple[Meant, ...]) -> Meant | None:
    """Return the one that can only be meant: the only one, or the only one that has a mow to come."""
    if len(meant) > 1:
        meant = tuple(each for each in meant if next_mow(each.schedules) is not None)
    return meant[0] if len(meant) == 1 else None


async def skip_next(hass: HomeAssistant, meant: Meant, context: Context | None) -> Answer:
    """Leave a mower's next mow out; saying it twice leaves out no second one."""
    context = context or Context()
    await check(hass, context, (meant.mower_id,), Right.CONTROL, Right.PLAN)
    found = next_mow(meant.schedules)
    if found is None:
        return when_next(())
    key = "skipped_already"
    if not found.skipped:
        caller = replace(caller_of(context), origin=Origin.VOICE)
        with translated(meant.hub):
            schedule = await meant.hub.client.skip(found.schedule.id, found.at, caller=caller)
        meant.hub.put_answered(schedule)
        key = "skipped"
    return Answer(key=key, moment=found.at, zone=found.schedule.effective_time_zone, schedule=found.schedule.name)


def explain(meant: Meant) -> Answer:
    """Answer why a mower does not mow now."""
    if not meant.hub.connected:
        return Answer(key="gateway_gone")
    return why_not(meant.mower, meant.schedules, meant.hub.rain.values.get(meant.mower_id), dt_util.utcnow())


def _hubs(hass: HomeAssistant) -> dict[str, Hub]:
    entries: list[MowDeckConfigEntry] = hass.config_entries.async_entries(DOMAIN)
    return {entry.entry_id: entry.runtime_data for entry in entries if entry.state is ConfigEntryState.LOADED}
