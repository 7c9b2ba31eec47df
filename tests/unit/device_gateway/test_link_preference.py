"""A mower's links are used in the order that its owner wants, and one that is left out never."""

import pytest

from edge_gateway.contracts.mower import LinkKind
from edge_gateway.device_gateway.link_preference import LinkPreference

BRIDGE, CLOUD, HOME_ASSISTANT = LinkKind.BRIDGE, LinkKind.CLOUD, LinkKind.HOME_ASSISTANT
CLOUD_FIRST = LinkPreference(order=(CLOUD, BRIDGE))


@pytest.mark.parametrize(
    ("kind", "over", "preferred"),
    [
        (CLOUD, BRIDGE, True),
        (BRIDGE, CLOUD, False),
        (CLOUD, CLOUD, False),
        (BRIDGE, HOME_ASSISTANT, True),
        (HOME_ASSISTANT, BRIDGE, False),
        (HOME_ASSISTANT, HOME_ASSISTANT, False),
    ],
)
def test_a_link_is_preferred_to_those_behind_it_and_to_those_left_out(
    kind: LinkKind, over: LinkKind, *, preferred: bool
) -> None:
    assert CLOUD_FIRST.prefers(kind, over) is preferred


def test_nobody_lends_a_mower_unasked() -> None:
    assert HOME_ASSISTANT not in LinkPreference().order
