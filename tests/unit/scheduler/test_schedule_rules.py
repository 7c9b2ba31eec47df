"""What a schedule may be: each refusal names its field."""

from datetime import date
from typing import Any

import pytest

from edge_gateway.contracts.errors import InvalidError
from edge_gateway.contracts.schedules import (
    EveryNDaysRecurrence,
    OnceRecurrence,
    RainSettings,
    Target,
    WeeklyRecurrence,
)
from edge_gateway.scheduler.schedule_rules import check, check_on_map
from tests.unit.scheduler.factories import draft

NAN = float("nan")
ANCHOR = date(2026, 5, 1)


def weekly(at: str) -> WeeklyRecurrence:
    return WeeklyRecurrence(days=("mon",), at=at)


@pytest.mark.parametrize(
    ("field", "changes"),
    [
        ("name", {"name": ""}),
        ("name", {"name": "  "}),
        ("name", {"name": "x" * 101}),
        ("name", {"name": "two\nlines"}),
        ("target.mower_id", {"target": Target()}),
        ("target.mower_id", {"target": Target(mower_id="not.a.token")}),
        ("target.mower_id", {"target": Target(mower_id="")}),
        ("recurrence.days", {"recurrence": WeeklyRecurrence(days=(), at="09:00")}),
        ("recurrence.at", {"recurrence": weekly("25:00")}),
        ("recurrence.at", {"recurrence": weekly("24:00")}),
        ("recurrence.at", {"recurrence": weekly("9:00")}),
        ("recurrence.at", {"recurrence": weekly("09:60")}),
        ("recurrence.at", {"recurrence": weekly("09:00:30")}),
        ("recurrence.at", {"recurrence": weekly("09:00+02")}),
        ("recurrence.at", {"recurrence": weekly("09:00\n")}),
        ("recurrence.at", {"recurrence": weekly("٠٩:٠٠")}),  # noqa: RUF001  # digits of another script
        ("recurrence.at", {"recurrence": OnceRecurrence(day=ANCHOR, at="")}),
        ("recurrence.interval", {"recurrence": EveryNDaysRecurrence(interval=0, anchor=ANCHOR, at="09:00")}),
        ("recurrence.interval", {"recurrence": EveryNDaysRecurrence(interval=-1, anchor=ANCHOR, at="09:00")}),
        ("recurrence.interval", {"recurrence": EveryNDaysRecurrence(interval=3651, anchor=ANCHOR, at="09:00")}),
        ("duration_minutes", {"duration_minutes": 0}),
        ("duration_minutes", {"duration_minutes": 1441}),
        ("duration_minutes", {"duration_minutes": NAN}),
        ("ends_on", {"starts_on": date(2026, 5, 2), "ends_on": date(2026, 5, 1)}),
        ("time_zone", {"time_zone": "Europe/Atlantis"}),
        ("time_zone", {"time_zone": "localtime"}),
        ("time_zone", {"time_zone": "../../etc/passwd"}),
        ("time_zone", {"time_zone": ""}),
        ("area_ids", {"area_ids": ()}),
        ("area_ids", {"area_ids": ("a", "a")}),
        ("area_ids", {"area_ids": tuple(str(number) for number in range(201))}),
        ("pattern", {"pattern": {"deep": [{"value": NAN}]}}),
        ("pattern", {"pattern": {"value": float("inf")}}),
        ("pattern", {"pattern": {"text": "x" * 5000}}),
        ("pattern.angle", {"pattern": {"angle": "north"}}),
        ("pattern.angle", {"pattern": {"angle": True}}),
        ("pattern.angle", {"pattern": {"angle": 361}}),
        ("target.group_id", {"target": Target(mower_id="mower-1", group_id="group-1")}),
        ("target.group_id", {"target": Target(group_id="no id")}),
        ("area_ids", {"target": Target(group_id="group-1"), "area_ids": ("area-1",)}),
        ("angles", {"angles": ()}),
        ("angles", {"angles": tuple(range(37))}),
        ("angles[1]", {"angles": (0.0, 720.0)}),
        ("angles[0]", {"angles": (NAN,)}),
        ("max_hold_days", {"max_hold_days": 0}),
        ("max_hold_days", {"max_hold_days": 61}),
        ("rain.probability_percent", {"rain": RainSettings(probability_percent=NAN)}),
        ("rain.probability_percent", {"rain": RainSettings(probability_percent=0)}),
        ("rain.probability_percent", {"rain": RainSettings(probability_percent=100.5)}),
        ("rain.precipitation_mm", {"rain": RainSettings(precipitation_mm=0)}),
        ("rain.precipitation_mm", {"rain": RainSettings(precipitation_mm=NAN)}),
        ("rain.precipitation_mm", {"rain": RainSettings(precipitation_mm=float("inf"))}),
        ("rain.lookahead_hours", {"rain": RainSettings(lookahead_hours=-1)}),
        ("rain.cooldown_hours", {"rain": RainSettings(cooldown_hours=49)}),
    ],
)
def test_refused_with_the_field(field: str, changes: dict[str, Any]) -> None:
    with pytest.raises(InvalidError) as refused:
        check(draft(**changes))
    assert (refused.value.code, refused.value.field) == ("invalid", field)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"duration_minutes": 1},
        {"duration_minutes": 1440},
        {"time_zone": "America/Argentina/Buenos_Aires"},
        {"time_zone": "UTC"},
        {"starts_on": ANCHOR, "ends_on": ANCHOR},
        {"recurrence": EveryNDaysRecurrence(interval=1, anchor=ANCHOR, at="00:00")},
        {"recurrence": OnceRecurrence(day=ANCHOR, at="23:59")},
        {"pattern": {"angle": -45.5, "lanes": [1, 2, {"x": None}]}},
        {"area_ids": ("a", "b")},
        {"target": Target(group_id="group-1")},
        {"angles": (0, 45.5, -90.0)},
        {"when_held": "wait", "max_hold_days": 3},
        {"return_to_dock_at_window_end": True},
        {"rain": RainSettings(resume_when_dry=True, pause_running_jobs_on_rain=True)},
        {"rain": RainSettings(resume_when_dry=False, pause_running_jobs_on_rain=False, lookahead_hours=0)},
    ],
)
def test_taken(changes: dict[str, Any]) -> None:
    check(draft(**changes))


def test_areas_are_checked_against_the_map() -> None:
    check_on_map(None, None)
    check_on_map(("a",), ("a", "b"))
    with pytest.raises(InvalidError) as unknown_map:
        check_on_map(("a",), None)
    assert unknown_map.value.field == "area_ids"
    with pytest.raises(InvalidError) as gone:
        check_on_map(("a", "x"), ("a", "b"))
    assert (gone.value.field, gone.value.values) == ("area_ids", {"unknown_area_ids": ["x"]})
