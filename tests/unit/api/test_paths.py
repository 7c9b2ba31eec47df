"""A word that stands in one path is no id in another."""

import re

from edge_gateway.api.paths import pattern

_PATHS = ("/schedules", "/schedules/preview", "/schedules/{schedule_id}", "/mowers/{mower_id}/areas/mowed")


def test_a_path_without_such_a_neighbour_stays() -> None:
    assert pattern("/schedules", _PATHS) == "/schedules"
    assert pattern("/schedules/preview", _PATHS) == "/schedules/preview"
    assert pattern("/mowers/{mower_id}", _PATHS) == "/mowers/{mower_id}"


def test_the_neighbour_s_word_is_no_id() -> None:
    made = pattern("/schedules/{schedule_id}", _PATHS)
    rule = made.removeprefix("/schedules/{schedule_id:").removesuffix("}")

    assert made.startswith("/schedules/{schedule_id:")
    assert re.fullmatch(rule, "preview") is None
    assert re.fullmatch(rule, "previews")
    assert re.fullmatch(rule, "01JD8ZK")


def test_only_the_segment_that_differs_is_narrowed() -> None:
    made = pattern("/mowers/{mower_id}/areas/{area_id}", _PATHS)

    assert made.startswith("/mowers/{mower_id}/areas/{area_id:")
