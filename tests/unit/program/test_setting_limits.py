"""What a setting may be, in words."""

from enum import StrEnum
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import Field, SecretStr, create_model
from pydantic.fields import FieldInfo

from edge_gateway.setting_limits import describe_limits


class Side(StrEnum):
    """Choices."""

    LEFT = "left"
    RIGHT = "right"


def field_of(kind: Any, **limits: Any) -> FieldInfo:  # noqa: ANN401 - any type may be a setting's
    model = create_model("Model", field=(kind, Field(default=None, **limits)))
    return model.model_fields["field"]


@pytest.mark.parametrize(
    ("kind", "limits", "words"),
    [
        (int, {"ge": 0, "le": 65535}, "a whole number from 0 to 65535"),
        (float, {"gt": 0, "lt": 1.5}, "a number above 0 below 1.5"),
        (float, {"ge": 1_000_000.0}, "a number from 1000000"),
        (bool, {}, "true or false"),
        (Literal["a", "b"], {}, "one of a, b"),
        (Side, {}, "one of left, right"),
        (Path | None, {}, "a path"),
        (str, {"min_length": 1, "max_length": 100}, "a text of 1 to 100 characters"),
        (str, {"min_length": 3}, "a text of 3 or more characters"),
        (str, {"max_length": 9}, "a text of at most 9 characters"),
        (SecretStr | None, {"examples": ["nats://host"]}, "a text like nats://host"),
        (list[int], {}, "a list in JSON"),
        (tuple[str, ...], {"min_length": 1}, "a list in JSON of 1 or more items"),
    ],
)
def test_says_what_is_allowed(kind: object, limits: dict[str, object], words: str) -> None:
    assert describe_limits(field_of(kind, **limits)) == words
