"""What mowers report becomes events on the bus, each once, and findings while it lasts."""

import msgspec
import pytest

from edge_gateway.contracts import routes
from edge_gateway.contracts.commands import CommandKind, CommandStatus
from edge_gateway.contracts.device import Nothing
from edge_gateway.contracts.mower import Activity, MowerState, Problem
from edge_gateway.contracts.notifications import Notification, NotificationCode
from tests.eventually import eventually
from tests.service.notifications.garden import STREET, Garden, at, error, state


async def _until_judged(garden: Garden, last: MowerState) -> None:
    async def judged() -> bool:
        return await garden.judged_until(last.mower_id) == last.observed_at

    await eventually(judged)


async def _until_heard(garden: Garden, *expected: tuple[str, str]) -> None:
    async def heard() -> bool:
        return len(garden.heard) >= len(expected)

    await eventually(heard)
    assert garden.heard == list(expected)


async def test_a_hundred_equal_errors_are_one_event(garden: Garden) -> None:
    await garden.publish(*(error(second) for second in range(100)))
    await _until_judged(garden, error(99))
    await _until_heard(garden, ("error", "began"))

    assert len(await garden.told()) == 1
    envelope = garden.published[0]
    told = envelope.decode(Notification)
    assert (told.mower_id, told.at, told.severity, told.values) == ("m1", at(0), "warning", {"problem_code": "lifted"})
    assert (envelope.subject_id, envelope.account_id, envelope.occurred_at) == ("m1", "home", at(0))


async def test_what_lasts_is_a_finding_until_it_is_over(garden: Garden) -> None:
    await garden.publish(error(0), state(1, mower_id="m2", activity=Activity.IDLE, battery_percent=4))
    await _until_heard(garden, ("error", "began"), ("battery_low", "began"))
    findings = await garden.findings()
    assert [(finding.mower_id, finding.code) for finding in findings] == [
        ("m1", NotificationCode.ERROR),
        ("m2", NotificationCode.BATTERY_LOW),
    ]
    assert findings[0].id == garden.published[0].decode(Notification).finding_id

    await garden.publish(state(10))
    await _until_heard(garden, ("error", "began"), ("battery_low", "began"), ("error", "ended"))
    assert [finding.mower_id for finding in await garden.findings()] == ["m2"]


async def test_findings_show_only_mowers_that_the_principal_sees(garden: Garden) -> None:
    await garden.publish(error(0), error(0, mower_id="m2"))
    await _until_heard(garden, ("error", "began"), ("error", "began"))

    assert [finding.mower_id for finding in await garden.findings("user:m1")] == ["m1"]


async def test_every_rule_reaches_the_bus(garden: Garden) -> None:
    await garden.tell_map()
    await garden.tell_reach(0, available=False)
    await garden.order(5, CommandKind.PAUSE)
    await garden.order(5, CommandKind.PAUSE, CommandStatus.CONFIRMED)
    await garden.tell_worn_blades(0)

    async def heard_of_map_and_order() -> bool:
        ready = await garden.pool.fetchval("SELECT count(*) FROM notifications.map")
        document = await garden.pool.fetchval("SELECT document FROM notifications.watch WHERE mower_id = 'm1'")
        return ready == 1 and document is not None and b'"order"' in document

    await eventually(heard_of_map_and_order)
    await garden.publish(
        error(1),
        state(10, Activity.PAUSED, battery_percent=8),
        state(100),
        state(130),
        state(140, Activity.IDLE, position=STREET, problem=None),
        state(200, Activity.UNKNOWN, position=STREET),
    )
    await _until_judged(garden, state(200))

    async def all_codes() -> bool:
        return {code for code, _ in garden.heard} >= {
            "error", "offline", "battery_low", "left_geofence", "blade_worn", "resumed_by_itself",
        }  # fmt: skip

    await eventually(all_codes)
    assert len(await garden.told()) == len(set(await garden.told()))


async def test_blades_are_well_again_when_they_were_changed(garden: Garden, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("edge_gateway.notifications.blades._LOOK_SECONDS", 0.05)
    await garden.tell_worn_blades(0)
    await _until_heard(garden, ("blade_worn", "began"))

    garden.stand_ins.blades_reset_at = at(60)
    await _until_heard(garden, ("blade_worn", "began"), ("blade_worn", "ended"))
    assert await garden.findings() == ()


async def test_poison_is_dropped_and_its_neighbours_are_judged(garden: Garden) -> None:
    # A NUL cannot be stored as text: PostgreSQL itself refuses the event's id.
    refused = state(1, Activity.ERROR, problem=Problem(code="a\x00b"))
    without_zone = msgspec.structs.replace(error(1), observed_at=at(1).replace(tzinfo=None))
    await garden.publish(state(0), error(0.5, account_id="elsewhere"), refused, without_zone)
    await garden.publish(error(2, mower_id="m2"), error(3))
    await _until_judged(garden, error(3))
    await _until_heard(garden, ("error", "began"), ("error", "began"))

    assert [finding.began_at for finding in await garden.findings()] == [at(2), at(3)]


async def test_a_mower_that_the_fleet_learns_of_later_loses_nothing(garden: Garden) -> None:
    await garden.publish(error(0, mower_id="m3"), state(1, mower_id="m3"), state(2))
    await _until_judged(garden, state(2))
    assert garden.heard == []

    garden.stand_ins.mower_ids.add("m3")
    await _until_judged(garden, state(1, mower_id="m3"))
    await _until_heard(garden, ("error", "began"), ("error", "ended"))


async def test_a_removed_mower_is_forgotten_with_all_that_was_wrong(garden: Garden) -> None:
    await garden.publish(error(0))
    await _until_heard(garden, ("error", "began"))

    await garden.tell_removed("m1")

    async def forgotten() -> bool:
        return bool(await garden.pool.fetchval("SELECT count(*) FROM notifications.watch") == 0)

    await eventually(forgotten)
    assert await garden.findings() == ()


async def test_the_fleet_is_asked_once_about_a_mower(garden: Garden) -> None:
    for second in range(10):
        await garden.publish(state(second))
        await _until_judged(garden, state(second))

    assert garden.stand_ins.resolved == ["m1"]


async def test_health_tells_whether_the_database_answers(garden: Garden) -> None:
    healthy = await garden.bus.request(routes.health_route("notifications"), Nothing())
    assert healthy.ready
    assert healthy.started_at is not None
