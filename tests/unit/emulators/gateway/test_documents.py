"""The emulated gateway speaks as the contracts say: every field, no other, of the right type."""

from typing import Any

import msgspec
import pytest

from edge_gateway.api.errors import ErrorAnswer
from edge_gateway.contracts.commands import Command
from edge_gateway.contracts.fleet import Site
from edge_gateway.contracts.map import MowerMap
from edge_gateway.contracts.schedules import Run, Schedule
from edge_gateway.contracts.telemetry import MowerHealth
from edge_gateway.contracts.views import Change, Hello, Info, MowerView, Snapshot
from edge_gateway.contracts.weather import MowerWeather, SchedulePreview
from tests.emulators.gateway import documents


@pytest.mark.parametrize(
    ("document", "contract"),
    [
        (documents.info(), Info),
        (documents.mower(), MowerView),
        (documents.schedule(), Schedule),
        (documents.schedule(last_run=documents.run()), Schedule),
        (documents.run(), Run),
        (documents.preview(), SchedulePreview),
        (documents.health(), MowerHealth),
        (documents.weather(), MowerWeather),
        (documents.ground(), MowerMap),
        (documents.command(), Command),
        (documents.site(), Site),
        (documents.hello(), Hello),
        (documents.snapshot(), Snapshot),
        (documents.change(mower=documents.mower()), Change),
        (documents.change(run=documents.run()), Change),
        (documents.error("busy", "It is busy.", field="mower_id"), ErrorAnswer),
    ],
)
def test_a_document_is_what_its_contract_encodes(document: dict[str, Any], contract: type[msgspec.Struct]) -> None:
    decoded = msgspec.json.decode(msgspec.json.encode(document), type=contract)
    assert msgspec.json.decode(msgspec.json.encode(decoded)) == document
