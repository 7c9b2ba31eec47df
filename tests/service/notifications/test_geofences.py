"""Which geofence counts: the mower's own, the site's, the map's; each change is a new version."""

import pytest

from edge_gateway.contracts import routes
from edge_gateway.contracts.errors import ForbiddenError, InvalidError, MowDeckError, NotFoundError
from edge_gateway.contracts.mower import Activity
from edge_gateway.contracts.notifications import Corner, GeofenceReply, GeofenceRequest, PutGeofenceRequest
from edge_gateway.contracts.principals import OWNER
from tests.eventually import eventually
from tests.service.notifications.garden import STREET, Garden, state

WIDE = tuple(
    Corner(latitude=latitude, longitude=longitude)
    for latitude, longitude in ((51.9, 12.9), (51.9, 13.1), (52.1, 13.1), (52.1, 12.9))
)


async def _outside(garden: Garden, second: float) -> bool:
    """Let the mower be seen in the street for a while; tell whether that is a theft, then bring it home."""
    await garden.publish(
        state(second, Activity.IDLE, position=STREET), state(second + 20, Activity.IDLE, position=STREET)
    )
    home = state(second + 100, Activity.IDLE), state(second + 140, Activity.IDLE)
    await garden.publish(*home)

    async def judged() -> bool:
        return await garden.judged_until() == home[-1].observed_at

    await eventually(judged)
    told = [event_id for event_id in await garden.told() if "left_geofence" in event_id]
    await garden.pool.execute("DELETE FROM notifications.told")
    return bool(told)


async def _put(garden: Garden, *, mower_id: str | None = None, site_id: str | None = None) -> GeofenceReply:
    question = PutGeofenceRequest(
        on_behalf_of=OWNER, account_id="home", mower_id=mower_id, site_id=site_id, boundary=(*WIDE, WIDE[0])
    )
    return await garden.bus.request(routes.GEOFENCES_PUT, question)


async def _delete(garden: Garden, **about: str) -> None:
    question = GeofenceRequest(on_behalf_of=OWNER, account_id="home", **about)
    await garden.bus.request(routes.GEOFENCES_DELETE, question)


async def test_the_nearest_geofence_counts(garden: Garden) -> None:
    assert not await _outside(garden, 0)
    await garden.tell_map()

    async def map_is_kept() -> bool:
        return bool(await garden.pool.fetchval("SELECT count(*) FROM notifications.map"))

    await eventually(map_is_kept)
    assert await _outside(garden, 1000)

    assert (await _put(garden, site_id="home")).boundary == WIDE
    assert not await _outside(garden, 2000)

    narrow = tuple(
        Corner(latitude=52 + one / 1e4, longitude=13 + other / 1e4) for one, other in ((-1, -1), (-1, 1), (1, 0))
    )
    question = PutGeofenceRequest(on_behalf_of=OWNER, account_id="home", boundary=narrow, mower_id="m1")
    await garden.bus.request(routes.GEOFENCES_PUT, question)
    assert await _outside(garden, 3000)

    await _delete(garden, mower_id="m1")
    assert not await _outside(garden, 4000)
    await _delete(garden, site_id="home")
    assert await _outside(garden, 5000)


async def test_a_map_that_is_not_complete_takes_nothing_away(garden: Garden) -> None:
    await garden.tell_map()

    async def map_is_kept() -> bool:
        return bool(await garden.pool.fetchval("SELECT count(*) FROM notifications.map"))

    await eventually(map_is_kept)
    await garden.tell_map(half_width_metres=5000, complete=False)
    # Maps are heard in order: once this one of another mower is there, so is what came before it.
    await garden.tell_map("m2")

    async def both_are_kept() -> bool:
        return bool(await garden.pool.fetchval("SELECT count(*) FROM notifications.map") == 2)

    await eventually(both_are_kept)
    assert await _outside(garden, 0)


async def test_what_the_owner_drew_is_read_back(garden: Garden) -> None:
    empty = GeofenceRequest(on_behalf_of=OWNER, account_id="home", mower_id="m1")
    assert await garden.bus.request(routes.GEOFENCES_GET, empty) == GeofenceReply()

    await _put(garden, mower_id="m1")
    assert (await garden.bus.request(routes.GEOFENCES_GET, empty)).boundary == WIDE


async def test_a_geofence_is_parsed_once_per_version(garden: Garden, monkeypatch: pytest.MonkeyPatch) -> None:
    await _put(garden, mower_id="m1")
    reads: list[str] = []
    from edge_gateway.notifications import repository  # noqa: PLC0415  # watched from here on

    read_ground = repository.read_ground

    async def watched(*arguments: object) -> object:
        reads.append("read")
        return await read_ground(*arguments)  # type: ignore[arg-type]  # passed on as they came

    monkeypatch.setattr(repository, "read_ground", watched)
    for second in range(0, 3000, 1000):
        await _outside(garden, second)
    assert reads == ["read"]

    await _put(garden, mower_id="m1")
    await _outside(garden, 3000)
    assert reads == ["read", "read"]


@pytest.mark.parametrize(
    ("changes", "error", "field"),
    [
        ({"boundary": WIDE[:2]}, InvalidError, "boundary"),
        ({"boundary": (*WIDE, Corner(latitude=91, longitude=0))}, InvalidError, "boundary[4].latitude"),
        ({"boundary": (*WIDE, Corner(latitude=0, longitude=181))}, InvalidError, "boundary[4].longitude"),
        ({"margin_metres": -1.0}, InvalidError, "margin_metres"),
        ({"site_id": "home"}, InvalidError, "mower_id"),
        ({"mower_id": "m9"}, NotFoundError, "mower_id"),
        ({"mower_id": None, "site_id": "elsewhere"}, NotFoundError, "site_id"),
        ({"on_behalf_of": "user:m1"}, ForbiddenError, None),
        ({"on_behalf_of": "user:m1", "mower_id": "m2"}, NotFoundError, "mower_id"),
    ],
)
async def test_a_wrong_geofence_is_refused(
    garden: Garden, changes: dict[str, object], error: type[MowDeckError], field: str | None
) -> None:
    fields = {"on_behalf_of": OWNER, "account_id": "home", "mower_id": "m1", "boundary": WIDE} | changes
    with pytest.raises(error) as caught:
        await garden.bus.request(routes.GEOFENCES_PUT, PutGeofenceRequest(**fields))  # type: ignore[arg-type]  # by name

    assert caught.value.field == field
