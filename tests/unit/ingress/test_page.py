"""The page says what is known, what is wrong and what to do, and takes nobody's words for its own."""

from typing import Any

import msgspec
import pytest

from edge_gateway.ingress.page import render
from tests.unit.ingress.crowded import EMPTY, EVERYTHING, EVIL, FINDING, MOWER, RUN, THEFT, WEATHER

ENGLISH = (
    "It is stuck.",
    "Free it.",
    "left its garden</b>: 31 m outside",
    "Look for it at its last position",
    "Not reached",
    "Connection lost",
    "Bluetooth bridge -71 dBm (in use)",
    "90 of 100 messages in 1 d",
    "held back: Too many requests, again in 10 min",
    "Log in again",
    "2 of 3 connections free",
    "skipped, because rain is expected",
    "3 h ago",
    "Mornings",
    "Rain expected",
    "until 2026-12-01 15:00",
    "Weather data by Open-Meteo.com",
    "12 rows, 1.9 MB",
    "The last backup failed: the disk was full",
    "<div>second line</div><div>first line</div>",
    "200 MB",
    "2026-12-01 13:00<",
)
GERMAN = (
    "It is stuck.",
    "hat seinen Garten verlassen</b>: 31 m außerhalb",
    "Suche ihn an seiner letzten Position",
    "Nicht erreicht",
    "Verbindung verloren",
    "90 von 100 Nachrichten in 1 Tg.",
    "zurückgehalten: Zu viele Anfragen, wieder in 10 Min.",
    "Übersprungen: Regen",
    "Regen erwartet",
    "vor 3 Std.",
    "bis 01.12.2026 15:00",
    "12 Zeilen, 1,9 MB",
    "Die letzte Sicherung ist fehlgeschlagen: the disk was full",
    "01.12.2026 13:00<",
)


def page(tag: str = "en", **known: Any) -> str:  # noqa: ANN401  # the fields of what was gathered
    return render(msgspec.structs.replace(EMPTY, **known), tag)


@pytest.mark.parametrize(("tag", "said"), [("en", ENGLISH), ("de", GERMAN)])
def test_all_that_is_known_is_shown(tag: str, said: tuple[str, ...]) -> None:
    shown = page(tag, **EVERYTHING)
    assert f'<html lang="{tag}">' in shown
    for words in said:
        assert words in shown, words
    assert shown.count('class="says bad"') == 2, "the theft and the failed backup; what is only stuck is no alarm"


def test_the_gateway_s_own_sentence_is_said_to_those_who_read_english_alone() -> None:
    assert RUN["sentence"] not in page("de", **EVERYTHING)


def test_nothing_that_was_given_becomes_a_part_of_the_page() -> None:
    assert EVIL not in page(
        lists={
            "mowers": [MOWER],
            "runs": [RUN | {"sentence": EVIL, "outcome": EVIL}],
            "findings": [THEFT | {"values": {"metres_outside": EVIL}}, FINDING | {"detail": EVIL, "bridge_name": EVIL}],
        },
        weather={"m1": WEATHER | {"reason": EVIL}},
        services={EVIL: True},
        log=(EVIL,),
    )


def test_nothing_comes_from_elsewhere_or_runs() -> None:
    shown = page(lists={"mowers": [MOWER], "runs": [RUN]})
    assert "<script" not in shown
    assert "http://" not in shown
    assert "https://" not in shown


@pytest.mark.parametrize(
    ("known", "words"),
    [
        ({}, "All is well."),
        ({"silence": "starting"}, "The gateway is starting."),
        ({}, "There is no backup yet."),
        ({"lists": {"bridges": None}}, "There are no mowers yet."),
        ({"lists": {"runs": [RUN | {"outcome": None, "mower_id": None}]}}, "Pending"),
    ],
)
def test_what_is_not_known_is_said(known: dict[str, Any], words: str) -> None:
    assert words in page(**known)


def test_bridges_are_left_out_where_there_are_none() -> None:
    assert "bridges" not in page(lists={"bridges": []})
