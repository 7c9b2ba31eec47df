"""Our copies of the vendor's numbers are the library's."""

from enum import IntEnum

import pytest
from pymammotion.utility.constant import WorkMode
from pymammotion.utility.constant.device_enums import BreakPointReason, PosType

from edge_gateway.device_gateway.mammotion.modes import Breakpoint, Mode, Place, breakpoint_of, mode_of


def numbers(words: type[IntEnum], prefix: str = "") -> dict[str, int]:
    return {word.name.removeprefix(prefix): word.value for word in words if word.name != "UNKNOWN"}


def test_the_modes_are_the_library_s() -> None:
    assert numbers(Mode) == numbers(WorkMode, "MODE_")


def test_the_reasons_are_the_library_s() -> None:
    assert numbers(Breakpoint) == numbers(BreakPointReason)


def test_the_places_that_we_know_are_the_library_s() -> None:
    library = {word.value for word in PosType}
    assert {place.value for place in Place} <= library


@pytest.mark.parametrize("number", range(-3, 40))
def test_a_further_number_of_a_reason_means_the_same_as_in_the_library(number: int) -> None:
    library = BreakPointReason(number)
    ours = breakpoint_of(number)
    assert (ours.name if ours is not None else "UNKNOWN") == library.name


@pytest.mark.parametrize("number", [None, -1, 4, 999])
def test_a_number_that_is_new_is_unknown(number: int | None) -> None:
    assert mode_of(number) is None
