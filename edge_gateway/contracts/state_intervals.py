"""For how long a report of a mower speaks at the most when totals are added up, by provider (design, Telemetry).

Providers name it as a capability, Telemetry takes it as the default of its settings.
"""

STANDARD_SECONDS = 60.0
"""Of a provider that is not named below."""
_BY_PROVIDER = {"mammotion": 300.0}
"""A cloud that reports more rarely."""


def maximum_state_interval_seconds(provider: str) -> float:
    """Return it for a provider."""
    return _BY_PROVIDER.get(provider, STANDARD_SECONDS)
