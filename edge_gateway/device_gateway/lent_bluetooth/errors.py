"""What goes wrong with connections over lent Bluetooth, in the words that the stack above understands."""

from bleak.exc import BleakError


class NotConnectedError(ConnectionError):
    """A connection could not be made.

    No `BleakError`: Home Assistant has tried twice already, so the library above shall not try again by itself.
    """

    def __init__(self, code: str, detail: str = "") -> None:
        """Keep the code of `bluetooth_lending.Disconnected`, or `no_answer`."""
        super().__init__(f"{code}: {detail}" if detail else code)
        self.code = code


class NotSentError(BleakError):
    """A frame certainly did not leave: its time was over before, or nobody came to fetch it."""
