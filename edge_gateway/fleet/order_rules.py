"""What an order may say. Pure."""

from collections.abc import Set as AbstractSet

from edge_gateway.contracts.commands import CommandBody, CommandKind, StartMode
from edge_gateway.contracts.errors import ConflictError, InvalidError
from edge_gateway.contracts.patterns import check_pattern

LONGEST_KEY = 512
"""Characters."""
LONGEST_SETTING = 256
"""Characters of a setting's value."""
MOST_AREAS = 200


def check_key(key: str) -> None:
    """Raise `InvalidError` for a key that cannot be kept."""
    if not 1 <= len(key) <= LONGEST_KEY or not key.isprintable():
        raise InvalidError("invalid", f"key must be 1 to {LONGEST_KEY} printable characters.", field="key")


def check_body(body: CommandBody) -> None:
    """Raise `InvalidError` naming the field when an order says what its kind has no use for, or lacks what it needs."""
    starts = body.kind is CommandKind.START_MOW
    _needless(body, "mode", given=body.mode is not StartMode.AUTO, fits=starts)
    _needless(body, "area_ids", given=body.area_ids is not None, fits=starts)
    _needless(body, "pattern", given=body.pattern is not None, fits=starts)
    puts = body.kind is CommandKind.PUT_SETTING
    _needless(body, "setting_key", given=body.setting_key is not None, fits=puts)
    _needless(body, "setting_value", given=body.setting_value is not None, fits=puts)
    if puts and not body.setting_key:
        raise InvalidError("invalid", "put_setting needs a setting_key.", field="setting_key")
    if puts and body.setting_value is None:
        raise InvalidError("invalid", "put_setting needs a setting_value.", field="setting_value")
    if isinstance(body.setting_value, str) and len(body.setting_value) > LONGEST_SETTING:
        raise InvalidError(
            "invalid", f"A setting's value has at most {LONGEST_SETTING} characters.", field="setting_value"
        )
    check_pattern(body.pattern)
    if starts and body.mode is StartMode.RESUME and body.area_ids is not None:
        raise InvalidError("invalid", "A resumed job keeps its areas: area_ids must be left out.", field="area_ids")
    if body.area_ids is not None and len(body.area_ids) > MOST_AREAS:
        raise InvalidError("invalid", f"area_ids names more than {MOST_AREAS} areas.", field="area_ids")
    if body.area_ids is not None and len(set(body.area_ids)) != len(body.area_ids):
        raise InvalidError("invalid", "area_ids names an area twice.", field="area_ids")


def check_areas(body: CommandBody, known: AbstractSet[str] | None) -> None:
    """Raise `InvalidError` naming `area_ids` unless every named area is on the map (null: no map is known)."""
    if body.area_ids is None:
        return
    if not body.area_ids:
        raise InvalidError(
            "invalid", "area_ids is empty: name an area, or leave it out for all enabled ones.", field="area_ids"
        )
    unknown = [area_id for area_id in body.area_ids if known is None or area_id not in known]
    if unknown:
        raise InvalidError(
            "invalid",
            "area_ids names areas that are not on the mower's map.",
            field="area_ids",
            values={"unknown": unknown, "map_known": known is not None},
            remedy="Choose from the areas that the mower has now.",
        )


def check_repeated(stored: CommandBody, stored_mower_id: str, body: CommandBody, mower_id: str) -> None:
    """Raise `ConflictError` (`key_reused`) unless a known key came with the same mower and the same command."""
    if stored_mower_id != mower_id or stored != body:
        raise ConflictError(
            "key_reused",
            "This key was used for another order before.",
            field="key",
            remedy="Give every order a key of its own; repeat a key only with the very same order.",
        )


def _needless(body: CommandBody, field: str, *, given: bool, fits: bool) -> None:
    if given and not fits:
        raise InvalidError("invalid", f"{field} means nothing to {body.kind}.", field=field)
