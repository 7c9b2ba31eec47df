"""How far a view has come in its stream. Pure."""


class Place:
    """Remembers what was pulled and what of it is settled, so that a new consumer can go on from there."""

    def __init__(self) -> None:
        """Start nowhere."""
        self._stream_made: str | None = None
        self._newest = 0
        self._unsettled: set[int] = set()

    @property
    def begun(self) -> bool:
        """Whether the view ever had a consumer."""
        return self._stream_made is not None

    def begin(self, *, stream_made: str, after: int) -> None:
        """Begin with a consumer that delivers what comes after a sequence of the stream made at that time."""
        self._stream_made = stream_made
        self._newest = after
        self._unsettled.clear()

    def pulled(self, sequence: int) -> None:
        """Note a message in hand."""
        self._newest = max(self._newest, sequence)
        self._unsettled.add(sequence)

    def settled(self, sequence: int) -> None:
        """Note that a message is done."""
        self._unsettled.discard(sequence)

    def next_sequence(self, *, stream_made: str, last_sequence: int) -> int:
        """Return where to go on in the stream as it is now: at the first message that is not settled."""
        if stream_made != self._stream_made:
            return 1  # another stream of that name: all of it is new
        floor = min(self._unsettled) - 1 if self._unsettled else self._newest
        # A cut of power may have cost the stream its last events: go on with what comes now.
        return min(floor, last_sequence) + 1
