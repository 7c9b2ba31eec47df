"""Keeps one broken frame from ending the connection of a whole account, and tells of each frame that was read.

The library reads most broken frames past, but not all: what it does not expect comes up through the task that receives
for every mower of the account, and ends it. Which errors those are depends on the bytes, so all of them are caught.
Of a frame that changes nothing it tells nobody after it was read: a mower at rest would seem silent.
"""

import time
from collections.abc import Awaitable, Callable

import structlog
from pymammotion.device.handle import DeviceHandle
from pymammotion.transport.base import TransportType

from edge_gateway.device_gateway.mammotion import metrics

_log = structlog.get_logger(__name__)

type Listener = Callable[[], Awaitable[None]]


def drop_broken_frames(handle: DeviceHandle) -> None:
    """Have a handle drop frames that the library cannot read; a second time it does nothing."""
    if getattr(handle.on_raw_message, "drops_broken_frames", False):
        return
    read = handle.on_raw_message
    heard: dict[TransportType, float] = {}
    listeners: list[Listener] = []

    async def guarded(payload: bytes, transport_type: TransportType = TransportType.CLOUD_ALIYUN) -> None:
        heard[transport_type] = time.monotonic()
        try:
            await read(payload, transport_type)
        except Exception as error:  # noqa: BLE001  # as said above: the frame is dropped, the next one is another
            metrics.BROKEN_FRAMES.inc()
            _log.warning(
                "a frame of a mower was dropped, the library cannot read it",
                mower=handle.device_name,
                error=type(error).__name__,
            )
            return
        for listener in tuple(listeners):
            try:
                await listener()
            except Exception:  # noqa: BLE001  # nor does what we make of a frame end it
                _log.exception("a frame of a mower was not heard", mower=handle.device_name)

    guarded.drops_broken_frames = True  # type: ignore[attr-defined]  # a mark of ours
    guarded.heard = heard  # type: ignore[attr-defined]  # the same
    guarded.listeners = listeners  # type: ignore[attr-defined]  # the same
    handle.on_raw_message = guarded  # type: ignore[method-assign]  # the library offers no other place


def when_read(handle: DeviceHandle, listener: Listener) -> Callable[[], None]:
    """Have a listener told after each frame of a guarded handle that was read; return what ends that."""
    listeners: list[Listener] = handle.on_raw_message.listeners  # type: ignore[attr-defined]  # as above
    listeners.append(listener)
    return lambda: listeners.remove(listener)


def heard_over_cloud(handle: DeviceHandle) -> float | None:
    """Return when (monotonic) a mower was last heard over a cloud; null when it never was."""
    heard: dict[TransportType, float] = getattr(handle.on_raw_message, "heard", {})
    return max((at for kind, at in heard.items() if kind is not TransportType.BLE), default=None)
