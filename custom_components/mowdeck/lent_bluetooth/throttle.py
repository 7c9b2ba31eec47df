"""How often an advertisement is told: mowers advertise several times a second. Pure."""

from custom_components.mowdeck.client.lending_told import ADVERTISEMENT_SECONDS


class Throttle:
    """When each mower was last told of over each scanner."""

    def __init__(self) -> None:
        """Nothing was told yet."""
        self._told: dict[tuple[str, str], float] = {}

    def passes(self, address: str, source: str, now: float) -> bool:
        """Tell whether an advertisement may be told now (seconds of any clock that only goes forward)."""
        last = self._told.get((address, source))
        if last is not None and now - last < ADVERTISEMENT_SECONDS:
            return False
        self._told[address, source] = now
        return True
