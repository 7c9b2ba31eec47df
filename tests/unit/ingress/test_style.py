"""Everything on the page can be read, by day and by night."""

import re

import pytest

from edge_gateway.ingress.style import STYLE

LEAST_CONTRAST = 4.5
"""What the accessibility guidelines (WCAG, level AA) ask of text."""


def colours(sheet: str) -> dict[str, str]:
    return dict(re.findall(r"--([a-z-]+): (#[0-9a-f]+);", sheet))


DAY = colours(STYLE.partition("@media (prefers-color-scheme: dark)")[0])
NIGHT = DAY | colours(STYLE.partition("@media (prefers-color-scheme: dark)")[2])


def luminance(colour: str) -> float:
    digits = colour.removeprefix("#")
    wide = digits if len(digits) == 6 else "".join(digit * 2 for digit in digits)
    parts = [int(wide[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("scheme", [DAY, NIGHT], ids=["day", "night"])
def test_each_colour_of_text_stands_out_from_what_it_is_written_on(scheme: dict[str, str]) -> None:
    written = {
        "card": ("text", "soft", "good", "warn", "bad", "accent"),
        "ground": ("text", "soft"),
        "warn-ground": ("text", "soft"),
        "bad-ground": ("text", "soft"),
    }
    poor = {
        f"{name} on {ground}": round(contrast(scheme[name], scheme[ground]), 2)
        for ground, names in written.items()
        for name in names
        if contrast(scheme[name], scheme[ground]) < LEAST_CONTRAST
    }
    assert poor == {}
    assert DAY["card"] != NIGHT["card"]
