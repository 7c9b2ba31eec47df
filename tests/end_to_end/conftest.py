"""The road in each supported version of Home Assistant."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.end_to_end.road import Road, open_road

VERSIONS = ("2026.10", "2026.11")


@pytest.fixture(params=VERSIONS)
async def road(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Road]:
    """Return the whole road, of one version of Home Assistant."""
    async with open_road(f"home-assistant-{request.param}", tmp_path, gateway_folder=tmp_path / "gateway") as road:
        yield road
