"""The page's languages: alike in all they can say, and in the words that Home Assistant shows for the same codes."""

import json
import string
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from edge_gateway.contracts.bridges import BridgeCode, BridgeStatus
from edge_gateway.contracts.mower import Activity, LinkKind
from edge_gateway.contracts.notifications import NotificationCode
from edge_gateway.contracts.schedules import RunOutcome
from edge_gateway.ingress.language import DEFAULT, FOLDER, available, chosen, read
from scripts.set_up.places import ROOT
from tests.agreement import agree

TAGS = sorted(available())


def phrases(tree: object, place: str = "") -> Iterator[tuple[str, str]]:
    """Return every phrase with where it stands."""
    if isinstance(tree, Mapping):
        for name, below in tree.items():
            yield from phrases(below, f"{place}.{name}")
    else:
        yield place, str(tree)


def names_in(phrase: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(phrase) if name is not None}


def content(tag: str) -> dict[str, str]:
    return dict(phrases(json.loads((FOLDER / f"{tag}.json").read_text(encoding="utf-8"))))


def translations(tag: str) -> dict[str, Any]:
    """Return the words of the integration."""
    path = ROOT / "custom_components/mowdeck/translations" / f"{tag}.json"
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def test_each_language_says_the_same_things_with_the_same_values() -> None:
    assert TAGS == ["de", "en"]
    first, *others = ({place: names_in(phrase) for place, phrase in content(tag).items()} for tag in TAGS)
    for other in others:
        assert other == first
    assert all(phrase.strip() == phrase != "" for tag in TAGS for phrase in content(tag).values())


@pytest.mark.parametrize("tag", TAGS)
def test_each_code_that_the_gateway_can_say_has_a_word(tag: str) -> None:
    words = read(tag)
    agree(translations(tag)["entity"]["sensor"]["link"]["state"], set(LinkKind), "links in Home Assistant")
    agree(words.codes["activity"], set(Activity), "activities")
    agree(words.codes["outcome"], {*RunOutcome, "pending"}, "outcomes")
    agree(words.codes["link"], set(LinkKind), "links")
    agree(words.codes["bridge"], set(BridgeStatus), "bridges")
    agree(words.findings, {*NotificationCode, *BridgeCode, "owner_gone", "service_not_ready"}, "findings")


@pytest.mark.parametrize("tag", TAGS)
def test_home_assistant_and_the_page_use_the_same_words(tag: str) -> None:
    words, told = read(tag), translations(tag)
    entity = told["entity"]
    sensor = entity["sensor"]
    of_runs = sensor["last_outcome"]["state_attributes"]["reason"]["state"]
    of_reach = entity["binary_sensor"]["connectivity"]["state_attributes"]["reason"]["state"]
    of_budgets = sensor["request_budget"]["state_attributes"]["reason"]["state"]
    reasons = of_runs | sensor["hold_reason"]["state"] | of_reach | of_budgets
    for kind, theirs in (
        ("reason", reasons),
        ("outcome", sensor["last_outcome"]["state"]),
        ("link", sensor["link"]["state"]),
        ("problem", sensor["problem_cause"]["state"]),
    ):
        expected = {code: word for code, word in theirs.items() if code not in {"other", "none"}}
        ours = words.codes[kind]
        assert {code: ours.get(code) for code in expected} == expected, kind
    for code, finding in words.findings.items():
        issue = told["issues"][f"finding_{code}"]
        if code == "service_not_ready":
            continue  # Home Assistant names the gateway there, of which the page shows only one.
        if code == "owner_gone":
            # There it can be mended with a press.
            assert finding.title == issue["title"].replace("{person}", "{name}")
            continue
        assert finding.title == issue["title"].replace("{bridge}", "{name}"), code
        # What Home Assistant mends with a press says it on the page of the press.
        described = issue.get("description") or issue["fix_flow"]["step"]["confirm"]["description"]
        assert finding.remedy == described.removesuffix("\n\n{detail}"), code


@pytest.mark.parametrize(
    ("accepted", "tag"),
    [
        ("", DEFAULT),
        ("de", "de"),
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("fr-FR,fr;q=0.9,de;q=0.7,en;q=0.3", "de"),
        ("en-GB,en;q=0.9,de;q=0.8", "en"),
        ("en;q=0.4, DE;q=0.5", "de"),
        ("de;q=0", DEFAULT),
        ("de;q=rubbish", DEFAULT),
        ("../../etc/passwd,*;q=0.1,;;,=", DEFAULT),
    ],
)
def test_the_best_language_that_there_is_is_taken(accepted: str, tag: str) -> None:
    assert chosen(accepted) == tag
