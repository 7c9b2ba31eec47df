"""A mower in the emulated cloud: how the cloud reaches it, and how what it says reaches the broker."""

import asyncio
import base64
import json
import time
from collections.abc import Awaitable, Callable, Mapping

from pymammotion.utility.constant import WorkMode

from tests.emulators.mammotion import frames
from tests.emulators.mammotion.conversation import Conversation
from tests.emulators.mammotion.faults import MowerFaults
from tests.emulators.mammotion.mower import EmulatedMower
from tests.emulators.mammotion.reports import report_data

WAY_SECONDS = 0.01
"""From the cloud to the mower."""
HELD_SECONDS = 0.15
"""How long a frame waits for the one that is to overtake it."""

type Publish = Callable[[str, bytes], Awaitable[None]]


class Member:
    """One mower of the account."""

    def __init__(self, mower: EmulatedMower, *, iot_id: str, publish: Publish) -> None:
        """Publish what the mower says through `publish`, in order."""
        self.mower = mower
        self.iot_id = iot_id
        self.conversation = Conversation(mower, iot_id=iot_id, say=self._say)
        self.newest_firmware = mower.model.firmware
        """What the cloud offers for it."""
        self.announces_changes = True
        """It tells the cloud when its mode changes, as real ones do (without saying which)."""
        self.bluetooth: Callable[[bytes], None] = lambda _: None
        """Hears what it says as well, where somebody is connected to it over Bluetooth."""
        self._said = 0
        self._held: bytes | None = None
        mower.mode_changed = self.announce
        self._publish = publish
        self._outbox: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue()
        self._pump = asyncio.get_running_loop().create_task(self._run())

    @property
    def name(self) -> str:
        """What the vendor calls it."""
        return self.mower.name

    @property
    def faults(self) -> MowerFaults:
        """What is wrong with it."""
        return self.mower.faults

    @property
    def asleep(self) -> bool:
        """Whether only the cloud's wake-up reaches it."""
        return self.mower.status.mode == WorkMode.MODE_SLEEPING

    def record(self) -> dict[str, object]:
        """Return its record in the account."""
        return {
            "identityId": "an-identity",
            "iotId": self.iot_id,
            "productKey": self.mower.model.product_key,
            "deviceName": self.name,
            "owned": 1,
            "bindTime": 1_780_498_106_000,
            "createTime": "2026-06-03T14:48:26",
            "status": 1,
        }

    def version_check(self) -> dict[str, object]:
        """Return what the cloud says of its firmware."""
        has = self.mower.model.firmware
        offered = {"releaseVersion": self.newest_firmware, "releaseNote": "It mows better.", "dataLocation": None}
        upgradeable = self.newest_firmware != has
        return {
            "deviceId": self.iot_id,
            "deviceName": self.name,
            "currentVersion": has,
            "upgradeable": upgradeable,
            "productVersionInfoVo": offered if upgradeable else None,
            "isupgrading": False,
            "progress": 0,
            "causeCode": 0,
            "causeMsg": "",
        }

    def hear(self, raw: bytes, *, over: str = "cloud") -> None:
        """Take a message on its way to the mower: over the `cloud`, or over `bluetooth`, where it is there at once."""
        if self.faults.silent:
            return
        if over == "cloud":
            asyncio.get_running_loop().call_later(WAY_SECONDS, self.conversation.hear, raw)
        else:
            self.conversation.hear(raw, over=over)

    def fall_asleep(self) -> None:
        """Let it tell that it sleeps, and sleep."""
        self.mower.status.mode = WorkMode.MODE_SLEEPING
        self._put_frame(frames.report(report_data(self.mower.status, self.mower.garden)))

    def wake(self) -> None:
        """Wake it: it comes online and tells how it is."""
        self.mower.wake()
        self.tell_status(online=True)
        self.conversation.report()

    def say_raw(self, raw: bytes) -> None:
        """Say these bytes, whatever they mean."""
        self._put_frame(raw)

    def tell_status(self, *, online: bool) -> None:
        """Let the cloud tell whether the mower is online."""
        status = {
            "action": "online" if online else "offline",
            "productKey": self.mower.model.product_key,
            "deviceName": self.name,
            "iotId": self.iot_id,
            "gmtCreate": round(time.time() * 1000),
        }
        self._put("app/down/thing/status", status)

    async def stop(self) -> None:
        """Say nothing more."""
        self.conversation.reports.stop()
        self._pump.cancel()
        await asyncio.gather(self._pump, return_exceptions=True)

    def announce(self) -> None:
        """Let it tell the cloud that something changed, without saying what."""
        if self.announces_changes and not (self.faults.mute or self.faults.silent or self.faults.offline):
            self._put("thing/event/device_information_event/post", {"params": {"iotId": self.iot_id, "data": "{}"}})

    def _say(self, raw: bytes) -> None:
        if self.faults.silent or self.asleep:
            return
        self.bluetooth(raw)
        if not self.faults.offline:
            self._put_frame(raw)

    def reboot(self) -> None:
        """Let it start anew: its first report holds nothing but zeros, its next one how it is."""
        self._put_frame(frames.zeros())
        self.conversation.report()

    def _put_frame(self, raw: bytes) -> None:
        """Send a frame off, with what its faults make of it."""
        faults = self.faults
        self._said += 1
        if faults.drop_next:
            faults.drop_next -= 1
            return
        if faults.drop_every and self._said % faults.drop_every == 0:
            return
        if faults.reorder and self._held is None:
            self._held = raw
            asyncio.get_running_loop().call_later(HELD_SECONDS, self._let_go)
            return
        sent = [raw] if self._held is None else [raw, self._held]
        self._held = None
        for one in sent * 2 if faults.duplicate else sent:
            if faults.late_seconds:
                asyncio.get_running_loop().call_later(faults.late_seconds, self._post, one)
            else:
                self._post(one)

    def _let_go(self) -> None:
        """Send off a frame that waited for a second one in vain."""
        if self._held is not None:
            held, self._held = self._held, None
            self._post(held)

    def _post(self, raw: bytes) -> None:
        content = {"params": {"iotId": self.iot_id, "content": base64.b64encode(raw).decode()}}
        self._put("thing/event/device_protobuf_msg_event/post", content)

    def _put(self, what: str, content: Mapping[str, object]) -> None:
        topic = f"/sys/{self.mower.model.product_key}/{self.name}/{what}"
        self._outbox.put_nowait((topic, json.dumps(content).encode()))

    async def _run(self) -> None:
        while True:
            topic, payload = await self._outbox.get()
            await self._publish(topic, payload)
