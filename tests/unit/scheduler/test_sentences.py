"""The sentences of runs: one for every code, made from its numbers."""

from datetime import timedelta
from typing import Any

import msgspec
import pytest

from edge_gateway.contracts.schedules import RunOutcome
from edge_gateway.scheduler import runs, sentences
from edge_gateway.scheduler.follow_up import Cause
from edge_gateway.scheduler.progress import NEVER_MOVED, TRANSIENT, EndReason
from edge_gateway.scheduler.rain import RainReason
from edge_gateway.scheduler.records import RunRecord
from edge_gateway.scheduler.sentences import sentence
from edge_gateway.scheduler.verdicts import End, Reason, Start, Wait
from tests.unit.scheduler.factories import NINE, run

RAIN: dict[str, Any] = {
    "rain_rule": {"probability_percent": 60.0, "precipitation_mm": 0.5},
    "rain_reason": "rain_expected",
    "provider": "open_meteo",
    "forecast_age_seconds": 720,
    "hour": NINE + timedelta(hours=5),
    "probability_percent": 72.0,
    "precipitation_mm": 0.1,
    "time_zone": "Europe/Berlin",
}
NO_ENDS_OF_THEIR_OWN = {RainReason.DRY, RainReason.RULE_OFF, Reason.NO_LOCATION, Reason.FORECAST}
"""Codes that stand in the numbers of runs that start, and are waited for; they end none."""


def ended(outcome: RunOutcome, reason: str, **numbers: Any) -> RunRecord:  # noqa: ANN401  # any number
    return runs.ended(run(), End(outcome, reason, numbers), NINE)


@pytest.mark.parametrize("reason", sorted({*Reason, *RainReason, *TRANSIENT, *NEVER_MOVED} - NO_ENDS_OF_THEIR_OWN))
def test_every_reason_has_a_sentence_of_its_own(reason: str) -> None:
    assert sentences.is_known(reason)
    said = sentence(ended(RunOutcome.FAILED, reason))
    assert said.isprintable()
    assert "_" not in said


def test_every_end_has_one() -> None:
    causes = {Cause.RAIN, Cause.WINDOW_END, Cause.QUIET_HOURS}
    assert all(sentences.ending(code) for code in {*EndReason, *causes})


def test_the_example_of_the_design() -> None:
    held = ended(RunOutcome.SKIPPED_RAIN, "rain_expected", **RAIN)
    assert sentence(held) == "held: 72 % at 14:00 is at or over 60 %; forecast 12 min old, Open-Meteo"


def test_numbers_that_come_back_from_the_database_are_text() -> None:
    stored = msgspec.json.decode(msgspec.json.encode(RAIN))
    assert sentence(ended(RunOutcome.SKIPPED_RAIN, "rain_expected", **stored)) == sentence(
        ended(RunOutcome.SKIPPED_RAIN, "rain_expected", **RAIN)
    )


@pytest.mark.parametrize(
    ("outcome", "reason", "numbers", "said"),
    [
        (
            RunOutcome.SKIPPED_RAIN,
            "rain_recent",
            RAIN | {"rain_reason": "rain_recent", "precipitation_mm": 2.0, "hour": NINE - timedelta(hours=1)},
            "held: 2 mm at 08:00 is at or over 0.5 mm; forecast 12 min old, Open-Meteo",
        ),
        (
            RunOutcome.SKIPPED_RAIN,
            "forecast_unknown",
            {"provider": "open_meteo"},
            "held: no forecast is known, and the plan does not run without one (Open-Meteo)",
        ),
        (RunOutcome.SKIPPED_WINDOW, "missed", {"missed": 3}, "skipped: nobody looked when it was due, 3 times"),
        (RunOutcome.SKIPPED_MOWER_BUSY, "mower_busy", {"activity": "mowing"}, "skipped: the mower was busy (mowing)"),
        (
            RunOutcome.SKIPPED_WINDOW,
            "quiet_hours",
            {
                "quiet_from": NINE + timedelta(hours=12),
                "quiet_until": NINE + timedelta(hours=22),
                "time_zone": "Europe/Berlin",
            },
            "skipped: quiet hours from 21:00 to 07:00",
        ),
        (
            RunOutcome.SKIPPED_WINDOW,
            "no_slot",
            {"max_concurrent": 2},
            "skipped: its turn did not come until the window closed; 2 of the group may be out at once",
        ),
        (
            RunOutcome.SKIPPED_MANUAL,
            "held_by_user",
            {"mower_hold": {"until": "2026-05-06T18:00:00Z"}, "time_zone": "Europe/Berlin"},
            "held by a person until 2026-05-06 20:00",
        ),
        (
            RunOutcome.FAILED,
            "areas_gone",
            {"area_ids": ["a", "b"]},
            "failed: areas are not on the mower's map any more (a, b)",
        ),
        (RunOutcome.FAILED, "vendor_17", {}, "failed: vendor_17"),
    ],
)
def test_sentences(outcome: RunOutcome, reason: str, numbers: dict[str, Any], said: str) -> None:
    assert sentence(ended(outcome, reason, **numbers)) == said


def test_runs_that_started() -> None:
    started = runs.started(runs.asking(run(), Start(), NINE), "command", NINE)
    assert sentence(started) == "started, it is still to be seen moving"
    seen = runs.confirmed(started, NINE)
    assert sentence(seen) == "started"
    assert sentence(runs.closed(seen, "completed", NINE)) == "started, it finished"
    home = msgspec.structs.replace(
        seen,
        sent_home_for="rain",
        numbers={"sent_home": {"cause": "rain", "at": NINE}, "time_zone": "Europe/Berlin"},
    )
    assert sentence(home) == "started, it was sent home for rain at 09:00"
    assert sentence(runs.closed(home, "rain", NINE)) == "started, it was sent home for rain"
    given_up = msgspec.structs.replace(seen, numbers=RAIN | {"held_days": 3, "max_hold_days": 3})
    assert sentence(given_up) == "started, although rain holds: it was held on 3 days in a row"
    left = msgspec.structs.replace(home, numbers=home.numbers | {"left_by_itself_at": NINE + timedelta(minutes=40)})
    assert "it left its dock by itself at 09:40 and was sent back" in sentence(left)


@pytest.mark.parametrize(
    ("wait", "said"),
    [
        (None, "due: it is about to be decided"),
        (
            Wait("rain", numbers=RAIN),
            "waiting for the rain: 72 % at 14:00 is at or over 60 %; forecast 12 min old, Open-Meteo",
        ),
        (Wait("no_slot", numbers={"max_concurrent": 1}), "waiting for its turn: 1 of the group may be out at once"),
        (Wait("forecast"), "waiting for a forecast"),
        (Wait("unavailable"), "waiting: the mower could not be reached"),
    ],
)
def test_runs_that_wait(wait: Wait | None, said: str) -> None:
    waiting = run() if wait is None else runs.waiting(run(), wait, NINE, tick=timedelta(seconds=30))
    assert sentence(waiting) == said


def test_a_zone_that_is_gone_does_not_keep_the_sentence_away() -> None:
    assert sentence(ended(RunOutcome.SKIPPED_RAIN, "rain_expected", **RAIN | {"time_zone": "Nowhere/Land"})) == (
        "held: 72 % at 12:00 is at or over 60 %; forecast 12 min old, Open-Meteo"
    )
