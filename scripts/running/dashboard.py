"""The dashboard of the demonstration: a section per mower, made from what the entity registry lists. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any

type Json = dict[str, Any]

_SHOWN = ("battery", "progress", "area", "hold_reason")
"""What is shown of a mower besides the mower itself; the device's page has the rest."""


def dashboard(entities: Sequence[Json], devices: Mapping[str, Json]) -> Json:
    """Return a dashboard's configuration.

    `entities` are entries of the entity registry, `devices` those of the device registry by id.
    """
    mowers = [entity for entity in entities if entity["entity_id"].startswith("lawn_mower.")]
    sections = [_section(mower, entities, devices) for mower in sorted(mowers, key=lambda each: each["entity_id"])]
    return {
        "views": [{"title": "Garden", "path": "garden", "type": "sections", "max_columns": 3, "sections": sections}]
    }


def _section(mower: Json, entities: Sequence[Json], devices: Mapping[str, Json]) -> Json:
    device_id = mower["device_id"]
    name = _name(devices[device_id])
    schedules = [id_ for id_, device in devices.items() if device.get("via_device_id") == device_id]
    cards: list[Json] = [
        {"type": "heading", "heading": name, "icon": "mdi:robot-mower"},
        {
            "type": "tile",
            "entity": mower["entity_id"],
            "grid_options": {"columns": 12},
            "features": [{"type": "lawn-mower-commands", "commands": ["start_pause", "dock"]}],
        },
    ]
    of_mower = _of_device(entities, device_id)
    cards += [_tile(each) for key in _SHOWN for each in of_mower if each["unique_id"] == f"{mower['unique_id']}_{key}"]
    for schedule in schedules:
        cards.append({"type": "heading", "heading": _name(devices[schedule]), "heading_style": "subtitle"})
        cards += [_tile(each) for each in _of_device(entities, schedule)]
    return {"type": "grid", "cards": cards}


def _of_device(entities: Sequence[Json], device_id: str) -> list[Json]:
    shown = [each for each in entities if each["device_id"] == device_id and not each.get("disabled_by")]
    return sorted(shown, key=lambda each: each["entity_id"])


def _tile(entity: Json) -> Json:
    return {"type": "tile", "entity": entity["entity_id"], "name": {"type": "entity"}, "grid_options": {"columns": 6}}


def _name(device: Json) -> str:
    return str(device.get("name_by_user") or device["name"])
