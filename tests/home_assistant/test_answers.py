"""Why a mower does not mow, and when it mows next: the first thing that stands in its way is told."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from home_assistant_intents import get_languages

from custom_components.mowdeck.answers import Answer, Words, next_mow, when_next, why_not
from custom_components.mowdeck.client.mower import Mower
from custom_components.mowdeck.client.reading import Reading
from custom_components.mowdeck.client.schedule import Schedule
from custom_components.mowdeck.client.weather import MowerWeather
from custom_components.mowdeck.sentence_files import VARIANTS
from tests.emulators.gateway import documents
from tests.emulators.gateway.documents import Json

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
ZONE = "Europe/Amsterdam"
NEXT = Answer(key="next", moment=datetime(2026, 5, 4, 7, tzinfo=UTC), zone=ZONE, schedule="Weekday mornings")


def schedule(**changes: Any) -> Schedule:  # noqa: ANN401  # JSON
    return Schedule.read(Reading.of(documents.schedule(**changes), "schedule"))


def asked(*schedules: Schedule, mower: Json | None = None, weather: Json | None = None, now: datetime = NOW) -> Answer:
    view = Mower.read(Reading.of(documents.mower(**mower or {}), "mower"))
    verdict = None if weather is None else MowerWeather.read(Reading.of(documents.weather(**weather), "weather"))
    return why_not(view, schedules, verdict, now)


@pytest.mark.parametrize(
    ("mower", "answer"),
    [
        (
            {"available": False, "unavailable_reason": "silent", "activity": "mowing"},
            Answer(key="unreachable", words=Words.REACH, reason="silent"),
        ),
        (
            {"problem": {"code": "stuck", "vendor_code": None}, "activity": "error"},
            Answer(key="problem", words=Words.PROBLEM, reason="stuck"),
        ),
        ({"activity": "error"}, Answer(key="problem", words=Words.PROBLEM)),
        ({"activity": "mowing"}, Answer(key="mowing")),
        ({"activity": "returning"}, Answer(key="returning")),
        ({"activity": "paused"}, Answer(key="paused")),
    ],
)
def test_what_the_mower_says_comes_before_the_rain(mower: Json, answer: Answer) -> None:
    assert asked(schedule(), mower=mower, weather={}) == answer


def test_rain_comes_before_the_past() -> None:
    wet = schedule(last_run=documents.run())
    assert asked(wet, weather={}) == Answer(
        key="held_until",
        moment=datetime(2026, 5, 1, 12, tzinfo=UTC),
        words=Words.RAIN,
        reason="rain_expected",
    )
    assert asked(wet, weather={"pause_until": None}).key == "held"
    assert asked(schedule(), weather={"hold": False}) == NEXT


@pytest.mark.parametrize("rain_until", [None, "2026-05-01T12:00:00Z"])
def test_a_hold_by_hand_says_until_when(rain_until: str | None) -> None:
    by_hand = {"until": "2026-05-01T18:00:00Z", "set_by": "user:owner"}
    held = {"reason": "held_by_user", "pause_until": rain_until, "mower_hold": by_hand}
    assert asked(schedule(), weather=held) == Answer(
        key="held_until", moment=datetime(2026, 5, 1, 18, tzinfo=UTC), words=Words.RAIN, reason="held_by_user"
    )


@pytest.mark.parametrize(
    ("run", "key", "reason"),
    [
        (documents.run(), "last_skipped", "rain_expected"),
        (documents.run(outcome="failed", reason=None), "last_failed", "failed"),
    ],
)
def test_a_run_that_was_left_out_lately_explains_it(run: Json, key: str, reason: str) -> None:
    left_out = schedule(last_run=run)
    answer = Answer(key=key, moment=datetime(2026, 5, 1, 7, tzinfo=UTC), zone=ZONE, words=Words.RUN, reason=reason)
    assert asked(schedule(id="never-ran"), left_out) == answer
    assert asked(left_out, now=NOW + timedelta(days=1)) == NEXT


def test_a_run_that_began_hides_an_older_one_that_did_not() -> None:
    older = schedule(last_run=documents.run())
    began = schedule(last_run=documents.run(outcome="started", occurrence_at="2026-05-01T09:00:00Z"))
    assert asked(older, began) == NEXT


def test_the_next_mow_is_the_first_of_all_plans_that_are_enabled() -> None:
    off = schedule(enabled=False, next_run_at="2026-05-02T07:00:00Z")
    over = schedule(next_run_at=None)
    sooner = schedule(name="Sooner", next_run_at="2026-05-03T07:00:00Z", next_run_skipped=True)
    found = next_mow([off, over, schedule(), sooner])
    assert found is not None
    assert (found.schedule.name, found.skipped) == ("Sooner", True)
    assert when_next([sooner]).key == "next_skipped"
    assert when_next([off, over]) == Answer(key="none_planned")


def test_every_folder_that_is_read_gets_the_sentences() -> None:
    for language, variants in VARIANTS.items():
        assert set(variants) == {each for each in get_languages() if each.partition("-")[0] == language}
