"""What the owner may draw as zones. Pure."""

from collections.abc import Sequence

from edge_gateway.contracts.errors import InvalidError
from edge_gateway.contracts.identifiers import is_subject_token
from edge_gateway.contracts.telemetry import Zone
from edge_gateway.telemetry.write_rules import HIGHEST_LATITUDE, HIGHEST_LONGITUDE, LOWEST_LATITUDE, LOWEST_LONGITUDE

_MOST_ZONES = 50
_FEWEST_CORNERS = 3
_MOST_CORNERS = 500
_LONGEST_NAME = 100


def check(zones: Sequence[Zone]) -> None:
    """Raise `InvalidError` that names the field for zones that cannot be kept."""
    if len(zones) > _MOST_ZONES:
        raise InvalidError("out_of_range", f"A mower has at most {_MOST_ZONES} zones.", field="zones")
    if len({zone.id for zone in zones}) < len(zones):
        raise InvalidError("invalid", "Two zones have the same id.", field="zones")
    for index, zone in enumerate(zones):
        field = f"zones[{index}]"
        if not is_subject_token(zone.id):
            raise InvalidError(
                "invalid", "An id is made of letters, digits, `_` and `-` (1 to 64).", field=f"{field}.id"
            )
        if not 1 <= len(zone.name.strip()) <= _LONGEST_NAME:
            raise InvalidError("invalid", f"A name has 1 to {_LONGEST_NAME} letters.", field=f"{field}.name")
        if not _FEWEST_CORNERS <= len(zone.boundary) <= _MOST_CORNERS:
            raise InvalidError(
                "out_of_range", f"A zone has {_FEWEST_CORNERS} to {_MOST_CORNERS} corners.", field=f"{field}.boundary"
            )
        for latitude, longitude in zone.boundary:
            if not (
                LOWEST_LATITUDE <= latitude <= HIGHEST_LATITUDE and LOWEST_LONGITUDE <= longitude <= HIGHEST_LONGITUDE
            ):
                raise InvalidError(
                    "out_of_range", "A corner is a latitude and a longitude in degrees.", field=f"{field}.boundary"
                )
