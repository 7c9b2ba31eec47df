"""Why a connection could not be made or ended, in codes that the gateway knows."""

from bleak.exc import BleakError
from bleak_retry_connector import BleakNotFoundError, BleakOutOfConnectionSlotsError

NOT_FOUND = "not_found"
"""No scanner over which it could be connected hears it."""
NO_SLOT = "no_slot"
"""Every scanner that hears it has as many connections as it can have."""
NO_ANSWER = "no_answer"
"""It did not answer in time."""
FAILED = "failed"
OWNED = "owned"
"""Another gateway has it."""
NOT_LENT = "not_lent"
"""Nobody wants it carried."""

ASKED = "asked"
"""The gateway wanted it."""
LOST = "lost"
IDLE = "idle"
"""Nobody wanted anything of the mower."""
OVERRUN = "overrun"
"""More waited than was agreed."""
STOPPED = "stopped"
"""Home Assistant stops, or does not lend any more."""

SPENT = "spent"
"""Of a write: its time was over before it left."""


class LendingError(Exception):
    """A connection cannot be made, or ends."""

    def __init__(self, code: str, detail: str = "") -> None:
        """Keep the code, and for a person what is known about why."""
        super().__init__(detail)
        self.code = code
        self.detail = detail


def code_of(error: BleakError | TimeoutError) -> str:
    """Return the code of what Home Assistant's Bluetooth raised."""
    if isinstance(error, BleakOutOfConnectionSlotsError):
        return NO_SLOT
    # The connector says "not found" of a device that was heard and did not answer.
    return NO_ANSWER if isinstance(error, TimeoutError | BleakNotFoundError) else FAILED
