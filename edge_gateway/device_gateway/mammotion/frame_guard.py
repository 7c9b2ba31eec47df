"""Keeps one broken frame from ending the connection of a whole account.

The library reads most broken frames past, but not all: what it does not expect comes up through the task that receives
for every mower of the account, and ends it. Which errors those are depends on the bytes, so all of them are caught.
"""

import time

import structlog
from pymammotion.device.handle import DeviceHandle
from pymammotion.transport.base import TransportType

from edge_gateway.device_gateway.mammotion import metrics

_log = structlog.get_logger(__name__)


def drop_broken_frames(handle: DeviceHandle) -> None:
    """Have a handle drop frames that the library cannot read; a second time it does nothing."""
    if getattr(handle.on_raw_message, "drops_broken_frames", False):
        return
    read = handle.on_raw_message
    heard: dict[TransportType, float] = {}

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

    guarded.drops_broken_frames = True  # type: ignore[attr-defined]  # a mark of ours
    guarded.heard = heard  # type: ignore[attr-defined]  # the same
    handle.on_raw_message = guarded  # type: ignore[method-assign]  # the library offers no other place


def heard_over_cloud(handle: DeviceHandle) -> float | None:
    """Return when (monotonic) a mower was last heard over a cloud; null when it never was."""
    heard: dict[TransportType, float] = getattr(handle.on_raw_message, "heard", {})
    return max((at for kind, at in heard.items() if kind is not TransportType.BLE), default=None)
