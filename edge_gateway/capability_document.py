"""Writes docs/capabilities.md from what the providers say that their mowers can do."""

import sys
from collections.abc import Callable, Iterator, Sequence

import msgspec

from edge_gateway.contracts.clock import SystemClock
from edge_gateway.contracts.device import Setting
from edge_gateway.device_gateway.mammotion.loading import load_library_now
from edge_gateway.device_gateway.mammotion.settings import MammotionSettings
from edge_gateway.device_gateway.provider import Capabilities
from edge_gateway.device_gateway.settings import SimulatorSettings
from edge_gateway.device_gateway.simulator.gardens import KINDS
from edge_gateway.device_gateway.simulator.provider import SimulatorProvider, found_mower
from edge_gateway.device_gateway.simulator.store import MemoryStore

_HEAD = """\
# What mowers can do

Every mower is started, paused, resumed, sent home, and its job cancelled; each start can name areas. What differs is
below: what a start can name in `pattern`, and what can be set outside of a job. A value that a mower does not have is
refused with the field's name; what is not named stays as the mower has it.

The ranges of Mammotion are the widest of a model's variants; `GET /mowers/{id}/settings` shows a mower's own.

This page is generated: `python -m edge_gateway.capability_document > docs/capabilities.md`.
"""


class Model(msgspec.Struct, frozen=True, kw_only=True):
    """One model of a provider."""

    provider: str
    name: str
    capabilities: Capabilities
    settings: tuple[Setting, ...]


def capabilities_document() -> str:
    """Return the page; the library of the vendor is loaded for it."""
    models = [*_simulated(), *_mammotion()]
    return "\n".join(
        [
            _HEAD,
            _orders(models),
            _section("What a start can name", models, lambda model: model.capabilities.job_settings),
            _section("What can be set", models, lambda model: model.settings),
        ]
    )


def _simulated() -> Iterator[Model]:
    provider = SimulatorProvider(SimulatorSettings(mowers=len(KINDS)), store=MemoryStore(), clock=SystemClock())
    for number, (kind, _) in enumerate(KINDS, start=1):
        driver = provider.driver(found_mower(number), mower_id="mower", account_id="home")
        settings = tuple(setting for setting in driver.settings if not setting.key.startswith("simulated_"))
        yield Model(provider="simulator", name=kind.name, capabilities=driver.capabilities, settings=settings)


def _mammotion() -> Iterator[Model]:
    load_library_now(MammotionSettings())
    from edge_gateway.device_gateway.mammotion import model_catalogue  # noqa: PLC0415  # it brings the library in

    for model in model_catalogue.models():
        yield Model(provider="mammotion", name=model.name, capabilities=model.capabilities, settings=model.settings)


def _orders(models: Sequence[Model]) -> str:
    rows = [
        "| provider | models | turned back on its way home | areas | a report speaks for at most |",
        "|---|---|---|---|---|",
    ]
    for provider in dict.fromkeys(model.provider for model in models):
        own = [model for model in models if model.provider == provider]
        kinds: dict[tuple[bool, bool, float], list[str]] = {}
        for model in own:
            can = model.capabilities
            key = (can.can_resume_while_returning, can.has_areas, can.maximum_state_interval_seconds)
            kinds.setdefault(key, []).append(model.name)
        for (turns_back, has_areas, seconds), names in kinds.items():
            cells = (provider, _named(names, own), _word(turns_back), _word(has_areas), f"{seconds:g} s")
            rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(["## Orders", "", *rows, ""])


def _section(title: str, models: Sequence[Model], settings_of: Callable[[Model], Sequence[Setting]]) -> str:
    rows = ["| setting | provider | values | models |", "|---|---|---|---|"]
    keys = dict.fromkeys(setting.key for model in models for setting in settings_of(model))
    for key in keys:
        for provider in dict.fromkeys(model.provider for model in models):
            own = [model for model in models if model.provider == provider]
            values: dict[str, list[str]] = {}
            for model in own:
                for setting in settings_of(model):
                    if setting.key == key:
                        values.setdefault(_values(setting), []).append(model.name)
            rows += [f"| `{key}` | {provider} | {text} | {_named(names, own)} |" for text, names in values.items()]
    return "\n".join([f"## {title}", "", *rows, ""])


def _values(setting: Setting) -> str:
    if setting.allowed is not None:
        return ", ".join(setting.allowed)
    if setting.minimum is None or setting.maximum is None:
        return "`off`, or from and to (`22:00-06:00`)"
    unit = f" {setting.unit}" if setting.unit else ""
    return f"{setting.minimum:g} to {setting.maximum:g}{unit}"


def _named(names: Sequence[str], own: Sequence[Model]) -> str:
    """Return the names of models, `all` for all of a provider, `all but …` for nearly all."""
    others = [model.name for model in own if model.name not in names]
    if not others:
        return "all"
    return f"all but {', '.join(others)}" if len(others) < len(names) else ", ".join(names)


def _word(yes: bool) -> str:  # noqa: FBT001  # a cell of a table
    return "yes" if yes else "no"


if __name__ == "__main__":
    sys.stdout.write(capabilities_document())
