"""Has the library subscribe before it says that the broker is connected.

The library tells first and subscribes then, one topic after the other. What is asked in between is answered to nobody:
the mower would count as silent, and an order as one of unknown outcome.
"""

from itertools import batched

from pymammotion.transport.base import TransportAvailability
from pymammotion.transport.mqtt import MQTTTransport

_TOPICS_AT_ONCE = 30
"""Three for each mower: a broker may refuse more than a hundred in one message."""


def subscribe_before_telling(transport: MQTTTransport) -> None:
    """Let a transport that is not connected yet tell of each connection only when answers can arrive."""
    tell = transport._notify_availability  # noqa: SLF001  # the library offers no other place

    async def subscribed(state: TransportAvailability) -> None:
        client = transport._client  # noqa: SLF001  # the same
        if state is TransportAvailability.CONNECTED and client is not None:
            for topics in batched(transport._topics, _TOPICS_AT_ONCE, strict=False):  # noqa: SLF001  # the same
                await client.subscribe([(topic, 0) for topic in topics])
        await tell(state)

    transport._notify_availability = subscribed  # type: ignore[method-assign]  # noqa: SLF001  # the same
