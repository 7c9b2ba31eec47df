"""Bodies and query parameters; what is wrong is named."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge_gateway.api.bodies import (
    CommandBodyDraft,
    MowerPatch,
    OccurrenceBody,
    ScheduleBody,
    SchedulePatch,
    SettingBody,
    SitePatch,
)
from edge_gateway.api.decoding import as_utc, decode_body, decode_query
from edge_gateway.api.history import HistoryQuery
from edge_gateway.api.schedules import ScheduleQuery
from edge_gateway.contracts.errors import InvalidError
from edge_gateway.contracts.schedules import ScheduleDraft

SCHEDULE: dict[str, Any] = {
    "name": "Front",
    "target": {"mower_id": "m1"},
    "recurrence": {"kind": "weekly", "days": ["mon"], "at": "09:00"},
    "duration_minutes": 90,
}


def encode(value: object) -> bytes:
    return msgspec.json.encode(value)


def test_a_schedule_is_a_draft() -> None:
    body = decode_body(encode(SCHEDULE), ScheduleBody)
    assert isinstance(body, ScheduleDraft)
    # On the bus it reads as the draft that it is.
    assert encode(msgspec.json.decode(encode(body), type=ScheduleDraft)) == encode(body)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": 1}, "name"),
        ({"unknown": 1}, "unknown"),
        ({"target": {"mower": "m1"}}, "target.mower"),
        ({"target": {"mower_id": "a b"}}, "target.mower_id"),
        ({"duration_minutes": 0}, "duration_minutes"),
        ({"duration_minutes": 1441}, "duration_minutes"),
        ({"duration_minutes": 1.5}, "duration_minutes"),
        ({"duration_minutes": True}, "duration_minutes"),
        ({"duration_minutes": "90"}, "duration_minutes"),
        ({"recurrence": {"kind": "monthly"}}, "recurrence.kind"),
        ({"recurrence": {"days": ["mon"], "at": "09:00"}}, "recurrence.kind"),
        ({"recurrence": {"kind": "weekly", "days": ["monday"], "at": "09:00"}}, "recurrence.days[0]"),
        ({"recurrence": {"kind": "weekly", "days": ["mon"]}}, "recurrence.at"),
        ({"recurrence": {"kind": "once", "day": "2026-13-01", "at": "09:00"}}, "recurrence.day"),
        ({"recurrence": {"kind": "weekly", "days": ["mon"], "at": "09:00", "zone": "UTC"}}, "recurrence.zone"),
        ({"rain": {"probability": 1}}, "rain.probability"),
        ({"rain": None}, "rain"),
        ({"when_held": "later"}, "when_held"),
        ({"enabled": None}, "enabled"),
    ],
)
def test_what_is_wrong_in_a_schedule_is_named(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidError) as raised:
        decode_body(encode(SCHEDULE | changes), ScheduleBody)
    assert (raised.value.field, raised.value.code, raised.value.status) == (field, "invalid", 422)


def test_a_missing_field_is_named() -> None:
    with pytest.raises(InvalidError) as raised:
        decode_body(encode({"name": "Front"}), ScheduleBody)
    assert raised.value.field == "target"


@pytest.mark.parametrize(
    "body", [b"", b"{", b"nonsense", b'{"name":"\xff"}', b'{"name":"\\ud800"}', b"[" * 100_000, b"{}x"]
)
def test_malformed_json(body: bytes) -> None:
    with pytest.raises(InvalidError) as raised:
        decode_body(body, MowerPatch)
    assert raised.value.field == "body"


@pytest.mark.parametrize("word", [b"NaN", b"Infinity", b"-Infinity"])
def test_what_is_no_number_is_named(word: bytes) -> None:
    body = encode(SCHEDULE)[:-1] + b',"rain":{"precipitation_mm":' + word + b"}}"
    with pytest.raises(InvalidError) as raised:
        decode_body(body, ScheduleBody)
    assert (raised.value.field, raised.value.code) == ("rain.precipitation_mm", "invalid")


@pytest.mark.parametrize("body", [b"[]", b"null", b'"a"', b"1"])
def test_json_that_is_no_object(body: bytes) -> None:
    with pytest.raises(InvalidError) as raised:
        decode_body(body, MowerPatch)
    assert raised.value.field == "body"


@pytest.mark.parametrize(
    ("body", "body_type", "field"),
    [
        ({"name": "a\x00b"}, MowerPatch, "name"),
        ({"kind": "start_mow", "pattern": {"a": ["x", {"b": "\x00"}]}}, CommandBodyDraft, "pattern.a[1].b"),
        ({"kind": "start_mow", "pattern": {"a\x00": 1}}, CommandBodyDraft, "pattern.a"),
        ({"value": "\x00"}, SettingBody, "value"),
    ],
)
def test_no_nul_anywhere(body: object, body_type: type[msgspec.Struct], field: str) -> None:
    with pytest.raises(InvalidError) as raised:
        decode_body(encode(body), body_type)
    assert raised.value.field == field


def test_a_backslash_before_u0000_is_no_nul() -> None:
    assert decode_body(b'{"name":"\\\\u0000"}', MowerPatch).name == "\\u0000"


def test_a_patch_holds_what_was_given_and_nothing_else() -> None:
    body = decode_body(b'{"ends_on":null,"rain":{"enabled":null},"enabled":false}', SchedulePatch)
    assert msgspec.to_builtins(body) == {"ends_on": None, "rain": {"enabled": None}, "enabled": False}


@pytest.mark.parametrize(
    ("body", "field"),
    [({"name": None}, "name"), ({"rain": {"x": 1}}, "rain.x"), ({"recurrence": {"at": "09:00"}}, "recurrence.kind")],
)
def test_a_patch_is_checked_like_a_draft(body: object, field: str) -> None:
    with pytest.raises(InvalidError) as raised:
        decode_body(encode(body), SchedulePatch)
    assert raised.value.field == field


@pytest.mark.parametrize(("body", "field"), [(b'{"latitude":90.5}', "latitude"), (b'{"longitude":1e999}', "longitude")])
def test_places_off_the_earth(body: bytes, field: str) -> None:
    with pytest.raises(InvalidError) as raised:
        decode_body(body, SitePatch)
    assert raised.value.field == field


def test_a_time_needs_its_offset() -> None:
    with pytest.raises(InvalidError) as raised:
        decode_body(b'{"occurrence":"2026-05-01T09:00:00"}', OccurrenceBody)
    assert raised.value.field == "occurrence"


@pytest.mark.parametrize("value", [1, 1.5, True, "low"])
def test_a_settings_value_keeps_its_kind(value: object) -> None:
    decoded = decode_body(encode({"value": value}), SettingBody).value
    assert (decoded, type(decoded)) == (value, type(value))


def test_query_parameters() -> None:
    query = decode_query([("limit", "7"), ("since", "2026-05-01T09:00:00+02:00")], HistoryQuery)
    assert query.limit == 7
    assert query.since == datetime(2026, 5, 1, 7, tzinfo=UTC)
    assert query.until is None


@pytest.mark.parametrize(
    ("pairs", "field"),
    [
        ([("limit", "x")], "limit"),
        ([("limit", "0")], "limit"),
        ([("limit", "5001")], "limit"),
        ([("limit", "1"), ("limit", "2")], "limit"),
        ([("limit", "1.5")], "limit"),
        ([("nonsense", "1")], "nonsense"),
        ([("since", "yesterday")], "since"),
        ([("since", "1767225600")], "since"),
        ([("since", "2026-05-01T09:00:00")], "since"),
        ([("cursor", "")], "cursor"),
        ([("since", "\x00")], "since"),
    ],
)
def test_what_is_wrong_in_a_query_is_named(pairs: list[tuple[str, str]], field: str) -> None:
    with pytest.raises(InvalidError) as raised:
        decode_query(pairs, HistoryQuery)
    assert raised.value.field == field


@pytest.mark.parametrize("value", ["", "a b", "a" * 65, "\x00"])
def test_ids_in_a_query_look_like_ids(value: str) -> None:
    with pytest.raises(InvalidError) as raised:
        decode_query([("mower_id", value)], ScheduleQuery)
    assert raised.value.field == "mower_id"


def test_times_become_utc() -> None:
    moment = datetime(2026, 5, 1, 9, tzinfo=timezone(timedelta(hours=2)))
    converted = as_utc(moment, "since")
    assert (converted, converted.tzinfo) == (moment, UTC)


@pytest.mark.parametrize(
    "moment",
    [
        datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14))),
        datetime(9999, 12, 31, 23, tzinfo=timezone(-timedelta(hours=14))),
        datetime(1969, 12, 31, tzinfo=UTC),
        datetime(2200, 1, 1, tzinfo=UTC),
    ],
)
def test_times_that_nothing_here_can_mean(moment: datetime) -> None:
    with pytest.raises(InvalidError) as raised:
        as_utc(moment, "until")
    assert raised.value.field == "until"


@given(st.binary(max_size=200))
def test_no_bytes_make_anything_but_a_body_or_a_named_error(body: bytes) -> None:
    field = ""
    try:
        decode_body(body, MowerPatch)
    except InvalidError as error:
        field = error.field or "not named"
    assert field != "not named"


@pytest.mark.parametrize(
    ("raw", "body_type", "field"),
    [
        (b'{"kind": "refresh", "kind": "pause"}', CommandBodyDraft, "kind"),
        (b'{"kind": "start_mow", "pattern": {"angle": 1, "angle": 2}}', CommandBodyDraft, "pattern.angle"),
        (b'{"kind": "start_mow", "pattern": {"a": [{"b": 1}, {"b": 1, "b": 2}]}}', CommandBodyDraft, "pattern.a[1].b"),
        (b'{"name": "a", "obey_rain": true, "name": "a"}', MowerPatch, "name"),
    ],
)
def test_a_field_that_is_given_twice_is_named(raw: bytes, body_type: type[msgspec.Struct], field: str) -> None:
    with pytest.raises(InvalidError, match="given twice") as raised:
        decode_body(raw, body_type)
    assert raised.value.field == field


@pytest.mark.parametrize("levels", [32, 500, 5_000, 100_000])
def test_a_body_that_is_nested_too_deeply_is_refused(levels: int) -> None:
    deep = b'{"kind": "start_mow", "pattern": ' + b'{"a": ' * levels + b"1" + b"}" * levels + b"}"
    with pytest.raises(InvalidError) as raised:
        decode_body(deep, CommandBodyDraft)
    assert raised.value.field == "body"
