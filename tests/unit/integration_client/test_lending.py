"""Lent Bluetooth: the integration's messages against the gateway's contract, in both directions."""

import dataclasses
import json
from typing import Any, get_args

import msgspec
import pytest

from edge_gateway.contracts import bluetooth_lending as contract
from tests.unit.integration_client.loading import client_package, load

__all__ = ["client_package"]

TOLD: tuple[contract.Told, ...] = (
    contract.Watch(names=("Luba-VSAB1234", "Yuka-1")),
    contract.Connect(id="c1", address="C0:FF:EE:00:00:01", source="AA:BB:CC:00:00:01", budget_ms=20_000),
    contract.Connect(id="c1", address="C0:FF:EE:00:00:01", source=None, budget_ms=20_000),
    contract.Subscribe(id="c1", seq=1, characteristic="ff02", budget_ms=5000),
    contract.Write(id="c1", seq=2, characteristic="ff01", data=b"\x00\xff?>", response=True, budget_ms=5000),
    contract.ClearCache(address="C0:FF:EE:00:00:01"),
    contract.Disconnect(id="c1"),
    contract.Refused(code="invalid", detail="It is no address.", field="scanners[0].source"),
)


def said() -> list[Any]:
    """Return each message of the integration, full and as empty as it may be."""
    messages = load("lending_said")
    scanner = messages.Scanner(source="AA", name="Shed", connectable=True, slots=3, free_slots=2)
    silent = messages.Scanner(source="BB", name="Attic", connectable=False, slots=None, free_slots=None)
    characteristic = messages.Characteristic(uuid="ff01", handle=42, properties=("write", "notify"))
    service = messages.GattService(uuid="ffff", handle=40, characteristics=(characteristic,))
    heard = {"source": "AA", "address": "C0", "name": "Luba", "signal_dbm": -61, "age_ms": 20}
    return [
        messages.LendingHello(instance_id="home", scanners=(scanner, silent)),
        messages.Advertisement(**heard),
        messages.Advertisement(**heard, service_uuids=("ffff",), manufacturer_data={424: b"\x01\xff"}),
        messages.Connected(id="c1", source="AA", mtu=247, services=(service,)),
        messages.Acknowledged(id="c1", seq=2),
        messages.Acknowledged(id="c1", seq=3, code="spent", detail="Too late"),
        messages.Notified(id="c1", seq=1, characteristic="ff02", data=b"\x00\xff?>"),
        messages.Disconnected(id="c1", code="not_found", detail="never seen"),
    ]


@pytest.mark.usefixtures("client_package")
def test_what_is_said_is_what_the_gateway_reads() -> None:
    kinds = set()
    for message in said():
        read = msgspec.json.decode(json.dumps(message.json()), type=contract.Said, strict=True)
        assert json.loads(msgspec.json.encode(read)) == message.json()
        kinds.add(type(read))
    assert kinds == set(get_args(contract.Said.__value__))


@pytest.mark.usefixtures("client_package")
def test_what_the_gateway_tells_is_read_whole() -> None:
    read_told = load("lending_told").read_told
    for told in TOLD:
        read = read_told(json.loads(msgspec.json.encode(told)))
        assert type(read).__name__ == type(told).__name__
        assert dataclasses.asdict(read) == msgspec.structs.asdict(told)
    assert {type(told) for told in TOLD} == set(get_args(contract.Told.__value__))
    assert read_told({"type": "of tomorrow"}) is None


@pytest.mark.usefixtures("client_package")
def test_both_count_alike() -> None:
    told = load("lending_told")
    for name in ("WRITE_CREDITS", "NOTIFY_CREDITS", "ADVERTISEMENT_SECONDS"):
        assert getattr(told, name) == getattr(contract, name)


@pytest.mark.usefixtures("client_package")
def test_data_that_is_no_base64_names_its_field() -> None:
    write = {"type": "write", "id": "c1", "seq": 1, "characteristic": "ff01", "data": "%", "response": True}
    with pytest.raises(load("errors").MalformedError, match=r"message\.data is not base64"):
        load("lending_told").read_told(write | {"budget_ms": 1})
