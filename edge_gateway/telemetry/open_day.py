"""The day that is not over: what is added to it stays in the mower's book until a newer day begins. Pure."""

from collections.abc import Mapping
from datetime import date

import msgspec

from edge_gateway.telemetry.rows import AreaDay, OpenDay, Totals


def turn(
    open_day: OpenDay | None, days: Mapping[date, Totals], area_days: Mapping[tuple[str, date], AreaDay]
) -> tuple[OpenDay | None, list[OpenDay]]:
    """Add what states leave to the open day, which is changed by it.

    Returns the newest day, which is open then, and what is to be added to the rows of other days.
    """
    if open_day is not None and len(days) == 1 and open_day.day in days:
        # As nearly always: nothing but the open day.
        add_totals(open_day.totals, days[open_day.day])
        for (area_id, _), area_day in area_days.items():
            add_area(open_day.areas, area_id, area_day)
        return open_day, []
    by_date = {} if open_day is None else {open_day.day: open_day}
    for day, totals in days.items():
        add_totals(_of(by_date, day).totals, totals)
    for (area_id, day), area_day in area_days.items():
        add_area(_of(by_date, day).areas, area_id, area_day)
    if not by_date:
        return None, []
    newest = by_date.pop(max(by_date))
    return newest, list(by_date.values())


def add_totals(totals: Totals, added: Totals) -> None:
    """Add what was done on a day to that day."""
    totals.mowing_microseconds += added.mowing_microseconds
    totals.distance_millimetres += added.distance_millimetres
    totals.area_square_centimetres += added.area_square_centimetres
    totals.charge_cycles += added.charge_cycles
    totals.blade_microseconds += added.blade_microseconds


def add_area(areas: dict[str, AreaDay], area_id: str, added: AreaDay) -> None:
    """Add how long an area was mowed."""
    area = areas.get(area_id)
    if area is None:
        areas[area_id] = msgspec.structs.replace(added)
        return
    area.mowing_microseconds += added.mowing_microseconds
    area.last_mowed_at = max(area.last_mowed_at, added.last_mowed_at)


def _of(by_date: dict[date, OpenDay], day: date) -> OpenDay:
    found = by_date.get(day)
    if found is None:
        found = by_date[day] = OpenDay(day=day, totals=Totals(), areas={})
    return found
