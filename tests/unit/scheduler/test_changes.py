"""Changes: only what is present, merged; what is not a field is refused."""

from datetime import date
from typing import Any

import pytest

from edge_gateway.contracts.errors import InvalidError
from edge_gateway.contracts.schedules import EveryNDaysRecurrence, RainSettings, Target, WeeklyRecurrence
from edge_gateway.scheduler.changes import changed
from tests.unit.scheduler.factories import draft

FULL = draft(
    rain=RainSettings(probability_percent=40.0, cooldown_hours=1),
    pattern={"angle": 10, "lanes": 2},
    area_ids=("a",),
    ends_on=date(2026, 9, 1),
)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, {}),
        ({"name": "Back lawn"}, {"name": "Back lawn"}),
        ({"ends_on": None, "area_ids": None}, {"ends_on": None, "area_ids": None}),
        ({"recurrence": {"at": "10:15"}}, {"recurrence": WeeklyRecurrence(days=("mon", "thu"), at="10:15")}),
        ({"recurrence": {"days": ["sun"]}}, {"recurrence": WeeklyRecurrence(days=("sun",), at="09:00")}),
        (
            {"recurrence": {"kind": "every_n_days", "interval": 2, "anchor": "2026-05-01", "at": "08:00"}},
            {"recurrence": EveryNDaysRecurrence(interval=2, anchor=date(2026, 5, 1), at="08:00")},
        ),
        ({"target": {"mower_id": "mower-2"}}, {"target": Target(mower_id="mower-2")}),
        ({"target": {"group_id": "group-1"}}, {"target": Target(group_id="group-1")}),
        ({"rain": {"cooldown_hours": None}}, {"rain": RainSettings(probability_percent=40.0)}),
        ({"rain": None}, {"rain": RainSettings()}),
        ({"pattern": {"angle": 20}}, {"pattern": {"angle": 20, "lanes": 2}}),
        ({"pattern": {"lanes": None}}, {"pattern": {"angle": 10}}),
        ({"pattern": {"kind": "spiral"}}, {"pattern": {"angle": 10, "lanes": 2, "kind": "spiral"}}),
        ({"pattern": {"unheard_of": None}}, {}),
        ({"pattern": None}, {"pattern": None}),
        ({"enabled": False}, {"enabled": False}),
    ],
)
def test_merges(changes: dict[str, Any], expected: dict[str, Any]) -> None:
    values = {name: getattr(FULL, name) for name in FULL.__struct_fields__}
    assert changed(FULL, changes) == draft(**values | expected)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"colour": "green"}, "colour"),
        ({"owner": "user:x"}, "owner"),
        ({"next_run_at": None}, "next_run_at"),
        ({"rain": {"wet": True}}, "rain.wet"),
        ({"name": None}, "name"),
        ({"name": 5}, "name"),
        ({"duration_minutes": "60"}, "duration_minutes"),
        ({"duration_minutes": 60.5}, "duration_minutes"),
        ({"recurrence": {"kind": "monthly"}}, "recurrence.kind"),
        ({"recurrence": {"kind": "once", "at": "09:00"}}, "recurrence.day"),
        ({"recurrence": {"kind": "once", "day": "2026-05-01"}}, "recurrence.at"),
        ({"recurrence": "daily"}, "recurrence"),
        ({"ends_on": "tomorrow"}, "ends_on"),
        ({"area_ids": ["a", 5]}, "area_ids[1]"),
        ({"enabled": "yes"}, "enabled"),
        ({"when_held": "later"}, "when_held"),
    ],
)
def test_refused_with_the_field(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidError) as refused:
        changed(FULL, changes)
    assert (refused.value.code, refused.value.field) == ("invalid", field)


def test_a_refusal_says_whether_there_is_no_such_field_or_what_is_wrong_with_it() -> None:
    with pytest.raises(InvalidError) as unknown:
        changed(FULL, {"colour": "green"})
    assert unknown.value.detail == "A schedule has no such field that can be changed."
    with pytest.raises(InvalidError) as wrong:
        changed(FULL, {"name": 5})
    assert wrong.value.detail == "The change is not valid: Expected `str`, got `int` - at `$.name`."


def test_the_stored_draft_stays_as_it_is() -> None:
    before = draft(pattern={"angle": 10})
    changed(before, {"pattern": {"angle": 20}})
    assert before.pattern == {"angle": 10}
