"""The emulated Mammotion cloud as a child process: one account with mowers that live."""

import json
from pathlib import Path
from typing import Self

from scripts.running.gateway import Gateway
from scripts.running.process import Process
from scripts.set_up.environments import ENVIRONMENTS
from scripts.set_up.places import ROOT

_START_SECONDS = 30.0


class EmulatedCloud:
    """The emulator program: started, its address read, stopped."""

    def __init__(
        self,
        log: Path,
        *,
        speed: float = 1.0,
        mowers: int = 1,
        report_period_factor: float = 1.0,
        bridge: bool = False,
        bridge_port: int = 0,
        lend_to: tuple[str, Path] | None = None,
        air: bool = False,
    ) -> None:
        """Describe it; mowers live `speed` times faster than the clock, with `bridge` near a Bluetooth bridge too.

        `bridge_port`: where the bridge listens; 0 picks a free one.
        `lend_to`: and near a Home Assistant that lends its Bluetooth to the gateway at this URL, with this token file.
        With `air` near a scanner of another process, which comes to `air_port`.
        """
        self.bridge_port: int | None = None
        self.air_port: int | None = None
        self.url = ""
        self.username = ""
        self.password = ""
        self.process = Process(
            "The emulated cloud",
            [
                str(ENVIRONMENTS["gateway"].python),
                "-m",
                "tests.emulators.mammotion",
                f"--speed={speed}",
                f"--mowers={mowers}",
                f"--report-period-factor={report_period_factor}",
                *(["--bridge", f"--bridge-port={bridge_port}"] if bridge else []),
                *([] if lend_to is None else ["--lend-to", lend_to[0], str(lend_to[1])]),
                *(["--air"] if air else []),
            ],
            log=log,
            variables={"PYTHONUNBUFFERED": "1"},
            folder=ROOT,
        )

    @property
    def variables(self) -> dict[str, str]:
        """The settings with which a gateway takes this cloud for the vendor's."""
        return {"MOWDECK_MAMMOTION_CLOUD_URL": self.url, "MOWDECK_MAMMOTION_API_URL": self.url}

    async def start(self) -> None:
        """Start it and read its address; raises `ProcessEndedError` or `TimeoutError`."""
        # A log that goes on from an earlier start would hold an address of then.
        self.process.log.unlink(missing_ok=True)
        await self.process.start()
        await self.process.wait_until(self._tells_address, timeout_seconds=_START_SECONDS)
        address = json.loads(self._addresses()[-1])
        self.url, self.username, self.password = address["url"], address["username"], address["password"]
        self.bridge_port, self.air_port = address.get("bridge_port"), address.get("air_port")

    async def stop(self) -> None:
        """Stop it."""
        await self.process.stop()

    async def join(self, gateway: Gateway) -> None:
        """Log in at the gateway; one that knows the login of an earlier start logs in anew."""
        known = await gateway.request("GET", "/vendor-accounts")
        login = next((one for one in known["items"] if one["username"] == self.username), None)
        if login is not None:
            await gateway.request("PATCH", f"/vendor-accounts/{login['id']}", {"password": self.password})
            return
        account = {"provider": "mammotion", "username": self.username, "password": self.password}
        await gateway.request("POST", "/vendor-accounts", account)

    async def _tells_address(self) -> bool:
        return bool(self._addresses())

    def _addresses(self) -> list[str]:
        lines = self.process.log.read_text(errors="replace").splitlines()
        return [line for line in lines if line.startswith('{"url"')]

    async def __aenter__(self) -> Self:
        """Start."""
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Stop."""
        await self.stop()
