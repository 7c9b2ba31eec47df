"""The settings of one mower that can be changed outside of a job, and what it tells of its wear and firmware."""

import time
from collections.abc import Callable, Mapping
from typing import Any

import structlog
from pymammotion.proto import LubaMsg, NavSysParamMsg, NavUnableTimeSet

from edge_gateway.contracts.device import Setting
from edge_gateway.contracts.errors import DeadlineError, InvalidError, MowDeckError, UnavailableError
from edge_gateway.device_gateway.mammotion import hours_without_work
from edge_gateway.device_gateway.mammotion.mower_link import MowerLink
from edge_gateway.device_gateway.mammotion.observer import Observer
from edge_gateway.device_gateway.mammotion.settings import MammotionSettings
from edge_gateway.device_gateway.mammotion.vendor_plans import ALL_PLANS, ONE_PLAN, VendorPlans
from edge_gateway.device_gateway.mammotion.vendor_words import has_headlight, read_facts, read_limits, sets_blade_height

_log = structlog.get_logger(__name__)

BLADE_HEIGHT = "blade_height"
RAIN_DETECTION = "rain_detection"
NIGHT_LIGHT = "night_light"
SIDE_LIGHT = "side_light"
NON_WORK_HOURS = "non_work_hours"
_RAIN_PARAMETER = 3
_SWITCH = ("on", "off")
_WRITE = 0
"""The side light's word for: set it."""


def offered_settings(
    device_name: str,
    known: Mapping[str, str | None],
    blade_limits_mm: tuple[int, int] | None,
    *,
    blade_height_mm: int | None,
) -> tuple[Setting, ...]:
    """Return the settings that a model has, with what is `known` of them by key."""
    settings = [
        Setting(key=RAIN_DETECTION, value=known.get(RAIN_DETECTION), allowed=_SWITCH),
        Setting(key=SIDE_LIGHT, value=known.get(SIDE_LIGHT), allowed=_SWITCH),
    ]
    if has_headlight(device_name):
        settings.append(Setting(key=NIGHT_LIGHT, value=known.get(NIGHT_LIGHT), allowed=_SWITCH))
    if known.get(NON_WORK_HOURS) is not None:
        settings.append(Setting(key=NON_WORK_HOURS, value=known[NON_WORK_HOURS]))
    if sets_blade_height(device_name) and blade_limits_mm is not None:
        low, high = blade_limits_mm
        settings.append(Setting(key=BLADE_HEIGHT, value=blade_height_mm, minimum=low, maximum=high, unit="mm"))
    return tuple(settings)


class MowerSettings:
    """Lists and changes the settings of one mower."""

    def __init__(self, link: MowerLink, observer: Observer, settings: MammotionSettings) -> None:
        """Change them through the link."""
        self.plans = VendorPlans(link, answer_seconds=settings.answer_seconds)
        self._link = link
        self._observer = observer
        self._settings = settings
        self._asked_at = float("-inf")
        self._switches: dict[str, str | None] = {}
        """What it told, or what it was told last."""

    @property
    def complete(self) -> bool:
        """Whether everything that no report holds was told."""
        return RAIN_DETECTION in self._switches and NON_WORK_HOURS in self._switches and self.plans.known

    async def read_when_due(self) -> None:
        """Read once, and again after some time when that failed; a mower that sleeps is left alone."""
        now = time.monotonic()
        waiting = now < self._asked_at + self._settings.map_retry_seconds
        if self.complete or waiting or self._link.asleep or self._link.reading_map:
            return
        self._asked_at = now
        try:
            await self.read()
        except MowDeckError as error:
            _log.debug("settings of a mower were not read", mower=self._link.name, code=error.code)

    async def read(self) -> None:
        """Ask for what no report holds, one after the other until something fails.

        Raises `UnavailableError` and the like.
        """
        commands = self._link.handle.commands
        if RAIN_DETECTION not in self._switches:
            question = commands.read_write_device(_RAIN_PARAMETER, 1, 0)
            rain = await self._ask(question, _rain_told)
            self._switches[RAIN_DETECTION] = _word(on=bool(rain.context))
        if NON_WORK_HOURS not in self._switches:
            try:
                hours = await self._ask(commands.read_job_do_not_disturb(), _hours_told)
            except MowDeckError as error:
                if error.code != "silent":
                    raise
                # Not every model knows the question.
                self._switches[NON_WORK_HOURS] = None
            else:
                self._switches[NON_WORK_HOURS] = _hours_word(hours)
        if not self.plans.known:
            await self.plans.read(person=False)

    def list(self) -> tuple[Setting, ...]:
        """Return those that this mower has, with what is known of them."""
        limits, latest = read_limits(self._link.device).blade_height_mm, self._observer.latest
        height = None if latest is None else latest.knife_height_mm
        offered = offered_settings(self._link.name, self._switches, limits, blade_height_mm=height)
        return (*offered, *self.plans.list(), *read_facts(self._link.device))

    async def put(self, key: str, value: Any) -> None:  # noqa: ANN401  # a setting's value is JSON
        """Change one that `list` names.

        Raises `InvalidError` naming the field `value`; `DeadlineError` (`not_confirmed`) when the mower shows no
        change.
        """
        setting = next(one for one in self.list() if one.key == key)
        if setting.read_only:
            raise InvalidError("read_only", f"{key} is what the mower tells; it cannot be set.", field="setting_key")
        if key == BLADE_HEIGHT:
            await self._put_blade_height(value)
        elif key == ALL_PLANS or key.startswith(ONE_PLAN):
            await self.plans.put(key, value)
        elif key == NON_WORK_HOURS:
            await self._put_hours(value)
        elif value not in (setting.allowed or ()):
            allowed = " or ".join(setting.allowed or ())
            raise InvalidError("invalid_value", f"The setting {key} is {allowed}.", field="setting_value")
        else:
            await self._link.send(self._switch_frame(key, on=value == "on"), person=True)
            self._switches[key] = value

    def _switch_frame(self, key: str, *, on: bool) -> bytes:
        commands = self._link.handle.commands
        match key:
            case "rain_detection":
                return commands.read_write_device(_RAIN_PARAMETER, int(on), 1)
            case "side_light":
                return commands.read_and_set_sidelight(is_sidelight=on, operate=_WRITE)
            case _:
                frame: bytes = commands.set_car_light(on)
                return frame

    async def _ask[T](self, payload: bytes, pick: Callable[[LubaMsg], T | None]) -> T:
        return await self._link.ask(payload, pick, seconds=self._settings.answer_seconds, person=False)

    async def _put_hours(self, value: Any) -> None:  # noqa: ANN401  # a setting's value is JSON
        """Put the hours without work, `off` for none; the mower's answer shows them."""
        wanted = hours_without_work.parse(value)
        commands = self._link.handle.commands
        if wanted is None:
            frame = commands.job_do_not_disturb_del()
        else:
            begin, end = hours_without_work.wire(wanted)
            frame = commands.job_do_not_disturb(begin, end)
        await self._link.send(frame, person=True)

        def shown(message: LubaMsg) -> NavUnableTimeSet | None:
            # An answer from before may still come.
            told = _hours_told(message)
            return told if told is not None and _hours_word(told) == value else None

        question, seconds = commands.read_job_do_not_disturb(), self._settings.answer_seconds
        try:
            await self._link.ask(question, shown, seconds=seconds, person=True)
        except UnavailableError as error:
            if error.code != "silent":
                raise
            raise DeadlineError("not_confirmed", "The mower does not show the new hours without work.") from None
        self._switches[NON_WORK_HOURS] = value

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


def _rain_told(message: LubaMsg) -> NavSysParamMsg | None:
    told = message.nav.nav_sys_param_cmd if message.nav is not None else None
    return told if told is not None and told.id == _RAIN_PARAMETER else None


def _hours_told(message: LubaMsg) -> NavUnableTimeSet | None:
    return message.nav.todev_unable_time_set if message.nav is not None else None


def _hours_word(told: NavUnableTimeSet) -> str | None:
    """Return the hours that the mower told, `off` for none; null for some that cannot be read."""
    if told.trigger != 1:
        return hours_without_work.OFF
    return hours_without_work.read(told.unable_start_time, told.unable_end_time)


def _word(*, on: bool) -> str:
    return "on" if on else "off"
