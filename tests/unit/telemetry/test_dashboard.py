"""The Grafana dashboard asks only for what the program counts."""

import json
import re
from pathlib import Path

from prometheus_client import REGISTRY

from edge_gateway.bus import metrics as bus_metrics
from edge_gateway.telemetry import metrics as telemetry_metrics

_DASHBOARD = Path(__file__).parents[3] / "docs" / "grafana" / "telemetry.json"
_COUNTING = (bus_metrics, telemetry_metrics)
"""Importing them lets them count."""
_NAME = re.compile(r"mowdeck_\w+")
_SUFFIXES = {"counter": ("_total",), "gauge": ("",), "histogram": ("_bucket", "_count", "_sum")}


def test_every_metric_that_is_asked_for_is_counted() -> None:
    counted = {
        f"{metric.name}{suffix}" for metric in REGISTRY.collect() for suffix in _SUFFIXES.get(metric.type, ("",))
    }
    panels = json.loads(_DASHBOARD.read_text())["panels"]
    asked = {name for panel in panels for target in panel["targets"] for name in _NAME.findall(target["expr"])}
    assert len(panels) == 9
    assert asked - counted == set()


def test_lag_size_duration_redeliveries_and_drops_are_shown() -> None:
    text = _DASHBOARD.read_text()
    for name in ("lag", "batch_states", "batch_seconds", "redeliveries_total", "drops_total"):
        assert name in text
