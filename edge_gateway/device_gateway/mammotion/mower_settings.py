"""The settings of one mower that can be changed outside of a job."""

from typing import Any

from edge_gateway.contracts.device import Setting
from edge_gateway.contracts.errors import DeadlineError, InvalidError
from edge_gateway.device_gateway.mammotion.mower_link import MowerLink
from edge_gateway.device_gateway.mammotion.observer import Observer
from edge_gateway.device_gateway.mammotion.settings import MammotionSettings
from edge_gateway.device_gateway.mammotion.vendor_words import read_limits, sets_blade_height

BLADE_HEIGHT = "blade_height"
RAIN_DETECTION = "rain_detection"
_RAIN_PARAMETER = 3


class MowerSettings:
    """Lists and changes the settings of one mower."""

    def __init__(self, link: MowerLink, observer: Observer, settings: MammotionSettings) -> None:
        """Change them through the link."""
        self._link = link
        self._observer = observer
        self._settings = settings

    def list(self) -> tuple[Setting, ...]:
        """Return those that this mower has, with what is known of them."""
        settings = [Setting(key=RAIN_DETECTION, value=None, allowed=("on", "off"))]
        limits, latest = read_limits(self._link.device).blade_height_mm, self._observer.latest
        if sets_blade_height(self._link.name) and limits is not None:
            height = None if latest is None else latest.knife_height_mm
            settings.append(Setting(key=BLADE_HEIGHT, value=height, minimum=limits[0], maximum=limits[1], unit="mm"))
        return tuple(settings)

    async def put(self, key: str, value: Any) -> None:  # noqa: ANN401  # a setting's value is JSON
        """Change one that `list` names.

        Raises `InvalidError` naming the field `value`; `DeadlineError` (`not_confirmed`) when the mower shows no
        change.
        """
        if key == BLADE_HEIGHT:
            await self._put_blade_height(value)
        elif value in {"on", "off"}:
            payload = self._link.handle.commands.read_write_device(_RAIN_PARAMETER, int(value == "on"), 1)
            await self._link.send(payload, person=True)
        else:
            raise InvalidError("invalid_value", f"The setting {key} is on or off.", field="setting_value")

    async def _put_blade_height(self, value: Any) -> None:  # noqa: ANN401  # a setting's value is JSON
        limits = read_limits(self._link.device).blade_height_mm
        number = isinstance(value, int) and not isinstance(value, bool)
        if limits is None or not number or not limits[0] <= value <= limits[1]:
            allowed = "not known yet" if limits is None else f"a whole number from {limits[0]} to {limits[1]} mm"
            raise InvalidError("invalid_value", f"The blade height is {allowed}.", field="setting_value")
        await self._link.send(self._link.handle.commands.set_blade_height(value), person=True)
        shown = await self._observer.wait_for(
            lambda reading: reading.knife_height_mm == value, seconds=self._settings.confirm_seconds
        )
        if shown is None:
            raise DeadlineError("not_confirmed", "The mower does not show the new blade height.")
