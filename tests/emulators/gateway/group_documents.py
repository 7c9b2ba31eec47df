"""Groups as the gateway's JSON."""

from typing import Any

from tests.emulators.gateway.documents import MOWER_ID, Json

GROUP_ID = "01K8GROUP000000000000001"


def group(**changes: Any) -> Json:  # noqa: ANN401  # JSON
    """Return a group of the one mower."""
    return {
        "id": GROUP_ID,
        "account_id": "home",
        "name": "Both lawns",
        "mower_ids": [MOWER_ID],
        "max_concurrent": None,
    } | changes
