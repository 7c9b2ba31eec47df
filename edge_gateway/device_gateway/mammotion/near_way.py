"""One kind of Bluetooth to one mower: what is known of it, and when it may be tried again."""

import random
import time
from collections.abc import Sequence

from edge_gateway.contracts.mower import LinkKind
from edge_gateway.device_gateway.bluetooth import Path
from edge_gateway.device_gateway.bridges.settings import BridgesSettings


class NearWay:
    """One kind of Bluetooth."""

    def __init__(self, kind: LinkKind, settings: BridgesSettings) -> None:
        """Know of no carrier that hears the mower."""
        self.kind = kind
        self.known = False
        """Some carrier hears the mower, or did."""
        self.signal_dbm: int | None = None
        self.carrier_id: str | None = None
        """Over which it was connected last."""
        self.heard = 0.0
        """When the mower last said something over it, of `time.monotonic`; 0: never."""
        self._settings = settings
        self._failures = 0
        self._retry_at = 0.0

    @property
    def may_try(self) -> bool:
        """Whether it has been waited for long enough since it failed."""
        return self.wait_seconds <= 0

    @property
    def wait_seconds(self) -> float:
        """For how long it is still waited for; 0 or less: not any more."""
        return self._retry_at - time.monotonic()

    def note(self, paths: Sequence[Path], *, carrier_id: str | None) -> bool:
        """Take in how the mower is heard, connected over this carrier if over any; tell whether it is heard at last."""
        own = [path for path in paths if path.kind is self.kind]
        new = bool(own) and not self.known
        self.known = self.known or bool(own)
        signals = [
            path.signal_dbm
            for path in own
            if path.signal_dbm is not None and (carrier_id is None or path.carrier_id == carrier_id)
        ]
        if signals:
            self.signal_dbm = max(signals)
        return new

    def worked(self, carrier_id: str) -> None:
        """Note that a connection was made."""
        self.carrier_id = carrier_id
        self.forgive()

    def forgive(self) -> None:
        """Try it again at once."""
        self._failures, self._retry_at = 0, 0.0

    def back_off(self) -> None:
        """Wait, longer each time."""
        wait = min(self._settings.retry_seconds * 2**self._failures, self._settings.retry_maximum_seconds)
        self._failures += 1
        self.stand_back(seconds=wait * random.uniform(0.8, 1.2))  # noqa: S311  # jitter, not a secret

    def stand_back(self, *, seconds: float) -> None:
        """Leave the mower to others for so long."""
        self._retry_at = time.monotonic() + seconds
