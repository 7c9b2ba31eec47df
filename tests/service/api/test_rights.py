"""Who is there and what each may do, through the API: told once, and from then on what everybody sees."""

from typing import Any

from aiohttp import WSCloseCode

from edge_gateway.contracts import routes
from edge_gateway.contracts.fleet import Asking
from edge_gateway.contracts.grants import OwnerGone, OwnersGoneReply
from edge_gateway.contracts.principals import Relation
from edge_gateway.contracts.schedules import NamedSchedule
from tests.service.api.house import HEADERS, ApiHouse
from tests.service.api.listening import Listener, listening
from tests.service.api.test_schedules import DRAFT

ALL = list(Relation)
ANNAS = {"principal": "user:anna", "relations": ALL, "account": True}
BERT = {"X-MowDeck-Principal": "user:bert"}


def household(revision: int, *grants: dict[str, Any], **changes: Any) -> dict[str, Any]:  # noqa: ANN401  # JSON
    return {
        "revision": revision,
        "owner": "user:anna",
        "users": [{"id": "user:anna", "name": "Anna"}, {"id": "user:bert", "name": "Bert"}],
        "grants": [ANNAS, *grants],
    } | changes


def berts(mower_id: str, *relations: Relation) -> dict[str, Any]:
    return {"principal": "user:bert", "relations": list(relations), "mower_ids": [mower_id]}


async def test_a_set_is_taken_once_refused_by_its_field_and_obeyed(house: ApiHouse) -> None:
    unknown = await house.ask("GET", "/mowers", headers=BERT)
    assert (unknown.status, unknown.error["code"], unknown.error["field"]) == (
        403,
        "unknown_principal",
        "X-MowDeck-Principal",
    )
    first = await house.ask("PUT", "/principals/house", household(3))
    assert (first.status, first.body) == (200, {"instance_id": "house", "revision": 3, "changed": True})
    for revision in (3, 2):
        old = await house.ask("PUT", "/principals/house", household(revision, users=[{"id": "user:anna"}]))
        assert (old.status, old.error["code"], old.error["field"]) == (409, "revision_not_newer", "revision")
        assert old.error["values"] == {"given": revision, "known": 3}
    for changes, code, field in (
        ({"users": [], "grants": []}, "empty_set", "users"),
        ({"grants": []}, "nobody_manages", "grants"),
        ({"owner": "user:bert"}, "invalid", "owner"),
        ({"users": [{"id": "anna"}]}, "invalid", "users[0].id"),
        ({"colour": "green"}, "invalid", "colour"),
    ):
        refused = await house.ask("PUT", "/principals/house", household(4, **changes))
        assert (refused.status, refused.error["code"], refused.error["field"]) == (422, code, field)
    assert (await house.ask("PUT", "/principals/not%20an%20id", household(1))).status == 404
    mine = await house.ask("PUT", "/principals/house", household(4), headers=BERT)
    assert (mine.status, mine.error["code"]) == (403, "forbidden")

    await _is_seen_and_done_as_granted(house)


async def _is_seen_and_done_as_granted(house: ApiHouse) -> None:
    robin = house.mower_id
    wren = await house.fleet.add_mower("sim-2")
    await house.ask("PUT", "/principals/house", household(5, berts(wren, Relation.CAN_VIEW)))
    seen = await house.ask("GET", "/mowers", headers=BERT)
    assert [mower["id"] for mower in seen.body["items"]] == [wren]
    assert (await house.ask("GET", f"/mowers/{robin}", headers=BERT)).status == 404
    assert (await house.ask("GET", f"/mowers/{wren}", headers=BERT)).status == 200
    start = {"kind": "start_mow"}
    unseen = await house.ask("POST", f"/mowers/{robin}/commands", start, key="k", headers=BERT)
    assert (unseen.status, unseen.error["code"]) == (404, "not_found")
    refused = await house.ask("POST", f"/mowers/{wren}/commands", start, key="k", headers=BERT)
    assert (refused.status, refused.error["code"]) == (403, "forbidden")
    service = {"X-MowDeck-Principal": "service:backup"}
    assert (await house.ask("POST", f"/mowers/{wren}/commands", start, key="k", headers=service)).status == 403
    # The program that holds the token goes on seeing and doing everything.
    assert len((await house.ask("GET", "/mowers")).body["items"]) == 2
    assert (await house.ask("POST", f"/mowers/{robin}/commands", start, key="k")).status == 202


async def test_a_reader_of_the_events_is_told_what_its_person_sees(house: ApiHouse) -> None:
    robin = house.mower_id
    wren = await house.fleet.add_mower("sim-2")
    await house.ask("PUT", "/principals/house", household(1, berts(wren, Relation.CAN_VIEW)))
    made = await house.ask("POST", "/schedules", DRAFT | {"target": {"mower_id": robin}}, key="k")
    assert made.status == 201
    url = f"{house.url}/api/v1/events"
    async with (
        listening(house) as everything,
        house.session.ws_connect(url, headers=HEADERS | BERT) as socket,
    ):
        listener = Listener(socket)
        _, snapshot = await listener.greeting()
        assert snapshot is not None
        assert [mower["id"] for mower in snapshot["mowers"]] == [wren]
        assert (snapshot["schedules"], [site["id"] for site in snapshot["sites"]]) == ([], ["home"])
        _, whole = await everything.greeting()
        assert whole is not None
        assert (len(whole["mowers"]), len(whole["schedules"])) == (2, 1)

        # Of two reports in a row the second is the first that he hears.
        await house.tell_state(house.state(1, battery_percent=71))
        await house.tell_state(house.state(2, mower_id=wren, battery_percent=72))
        heard = await listener.until("mower")
        assert (heard["mower"]["id"], heard["mower"]["battery_percent"]) == (wren, 72)
        assert (await everything.until("mower"))["mower"]["id"] == robin

        # Another mower is granted: everything is shown anew; then nothing is, and the door is shut.
        await house.ask("PUT", "/principals/house", household(2, berts(robin, Relation.CAN_CONTROL)))
        anew = await listener.next()
        while anew["type"] != "snapshot":
            anew = await listener.next()
        assert [mower["id"] for mower in anew["mowers"]] == [robin]
        assert [schedule["id"] for schedule in anew["schedules"]] == [made.body["id"]]
        await house.ask("PUT", "/principals/house", household(3, users=[{"id": "user:anna"}]))
        assert await listener.closing() == WSCloseCode.POLICY_VIOLATION
        told = (await everything.until("event"))["event"]
        assert (told["type"], told["payload"]["revision"]) == ("identity.grants.changed", 2)
    await _is_found(house)


async def _is_found(house: ApiHouse) -> None:
    """Who is gone and left schedules behind is a finding."""
    plans = (NamedSchedule(id="a", name="Back"), NamedSchedule(id="b", name="Front"))
    gone = OwnerGone(principal="user:bert", name="Bert", gone_at=house.clock.now(), schedules=plans)
    asked: list[Asking] = []

    async def answer(question: Asking) -> OwnersGoneReply:
        asked.append(question)
        return OwnersGoneReply(items=(gone,))

    await house.bus.reply(routes.OWNERS_GONE, answer)
    (finding,) = (await house.ask("GET", "/findings")).body["items"]
    assert (finding["id"], finding["code"], finding["severity"]) == ("owner_gone:user:bert", "owner_gone", "warning")
    assert (finding["principal"], finding["principal_name"]) == ("user:bert", "Bert")
    assert finding["schedules"] == [{"id": "a", "name": "Back"}, {"id": "b", "name": "Front"}]
    assert finding["detail"] == "Bert is not known any more; what they planned is skipped when it is due: Back, Front."
    assert "Reassign" in finding["remedy"]
    assert asked[0].on_behalf_of == "user:owner"
