"""The words for problems: each code has them in every language, and no number means two things."""

from collections import Counter
from pathlib import Path

import msgspec
import pytest

from edge_gateway.contracts.problems import ProblemSeverity
from edge_gateway.device_gateway import lexicon
from edge_gateway.device_gateway.mammotion import problems
from edge_gateway.device_gateway.mammotion.frames import Move
from edge_gateway.device_gateway.mammotion.problems import error_word

FOLDER = Path(lexicon.__file__).parent


@pytest.mark.parametrize("language", lexicon.LANGUAGES)
def test_a_language_has_words_for_every_code_and_for_nothing_else(language: str) -> None:
    words = msgspec.json.decode((FOLDER / f"{language}.json").read_bytes())
    assert list(words) == list(lexicon.entries())
    for text in words.values():
        assert text["cause"].endswith(".")
        assert text["remedy"].endswith(".")


def test_every_refusal_has_words_in_every_language_and_no_language_has_more() -> None:
    words = [msgspec.json.decode((FOLDER / f"refusals_{language}.json").read_bytes()) for language in lexicon.LANGUAGES]
    assert all(list(one) == list(words[0]) for one in words)
    for reason in words[0]:
        texts = lexicon.refusal_words(reason)
        assert texts["en"].cause != texts["de"].cause
        assert all(text.cause.endswith(".") and text.remedy.endswith(".") for text in texts.values())


def test_every_reason_that_a_provider_gives_has_words() -> None:
    given = {
        *(move.name.lower() for move in Move),
        *problems._SELF_CHECKS.values(),  # noqa: SLF001  # the table is what is looked at
        *problems._BUSY_MODES,  # noqa: SLF001  # the same
        *("route", "in_error", "not_ready", "problem", "battery_low", "job_open", "no_job", "returning"),
    }
    unknown = lexicon.refusal_words(None)["en"]
    assert [reason for reason in sorted(given) if lexicon.refusal_words(reason)["en"] == unknown] == []


def test_no_two_languages_say_the_same() -> None:
    for code in lexicon.entries():
        words = lexicon.words_of(code)
        assert words["en"].cause != words["de"].cause, code


def test_a_number_of_a_vendor_means_one_thing() -> None:
    numbers = Counter(number for entry in lexicon.entries().values() for number in entry.mammotion)
    assert [number for number, count in numbers.items() if count > 1] == []


def test_every_code_that_the_mapping_gives_has_words() -> None:
    given = {*problems._MODES.values(), *problems._INTERRUPTIONS.values(), *problems._SELF_CHECKS.values()}  # noqa: SLF001  # the tables are what is looked at
    assert given <= set(lexicon.entries())


@pytest.mark.parametrize(
    ("number", "code"),
    [(-1202, "blade_blocked"), (1003, "rain"), (-1415, "area_broken"), (2801, "lifted"), (-2805, "start_failed")],
)
def test_a_vendor_s_number_is_one_of_ours(number: int, code: str) -> None:
    assert error_word(number) == code


def test_what_only_the_vendor_knows_keeps_its_number_and_has_words_all_the_same() -> None:
    code = error_word(-5999)
    assert code == "vendor_5999"
    assert lexicon.severity_of(code) is ProblemSeverity.ERROR
    assert "app" in lexicon.words_of(code)["en"].remedy


def test_numbers_are_ones_that_the_vendor_has() -> None:
    from pymammotion.data.error_codes import get_error_info  # noqa: PLC0415  # the library is loaded by then

    # 1415 is known from the field only.
    unknown = {number for number in lexicon.mammotion_codes() if get_error_info(number) is None} - {1415}
    assert unknown == set()
