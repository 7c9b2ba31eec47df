"""The Grafana dashboards ask only for what the program counts."""

import json
import re
from pathlib import Path

import pytest
from prometheus_client import REGISTRY

from edge_gateway.bus import metrics as bus_metrics
from edge_gateway.notifications import metrics as notifications_metrics
from edge_gateway.telemetry import metrics as telemetry_metrics

_FOLDER = Path(__file__).parents[3] / "docs" / "grafana"
_COUNTING = (bus_metrics, telemetry_metrics, notifications_metrics)
"""Importing them lets them count."""
_NAME = re.compile(r"mowdeck_\w+")
_SUFFIXES = {"counter": ("_total",), "gauge": ("",), "histogram": ("_bucket", "_count", "_sum")}


@pytest.mark.parametrize(("name", "number"), [("telemetry", 10), ("notifications", 6)])
def test_every_metric_that_is_asked_for_is_counted(name: str, number: int) -> None:
    counted = {
        f"{metric.name}{suffix}" for metric in REGISTRY.collect() for suffix in _SUFFIXES.get(metric.type, ("",))
    }
    panels = json.loads((_FOLDER / f"{name}.json").read_text())["panels"]
    asked = {name for panel in panels for target in panel["targets"] for name in _NAME.findall(target["expr"])}
    assert len(panels) == number
    assert asked - counted == set()


def test_lag_size_duration_redeliveries_and_drops_are_shown() -> None:
    text = (_FOLDER / "telemetry.json").read_text()
    for name in ("lag", "batch_states", "batch_seconds", "redeliveries_total", "drops_total"):
        assert name in text


def test_what_is_told_lag_duration_redeliveries_and_drops_of_notifications_are_shown() -> None:
    text = (_FOLDER / "notifications.json").read_text()
    for name in ("events_total", "reports_total", "lag", "batch_seconds", "redeliveries_total", "drops_total"):
        assert name in text
