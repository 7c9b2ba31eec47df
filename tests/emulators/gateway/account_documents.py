"""Logins at makers' clouds as the gateway's JSON."""

from typing import Any

from tests.emulators.gateway.documents import Json


def vendor_account(**changes: Any) -> Json:  # noqa: ANN401  # JSON
    """Return a login of which a third of the budget is used."""
    return {
        "id": "account-1",
        "account_id": "home",
        "provider": "mammotion",
        "username": "garden@example.org",
        "status": "connected",
        "detail": None,
        "usage": {
            "window_seconds": 86400,
            "requests": 150,
            "used": 100,
            "limit": 300,
            "backing_off": False,
            "reason": None,
            "retry_in_seconds": None,
        },
        "created_at": "2026-05-01T06:00:00Z",
    } | changes
