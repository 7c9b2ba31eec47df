"""The settings of a mower, the plans of the vendor's app among them: listed, switched, told to be in the way."""

from collections.abc import Callable
from typing import Any

import pytest
from pymammotion.proto import NavPlanJobSet

from edge_gateway.contracts.device import Setting
from edge_gateway.contracts.errors import InvalidError, NotFoundError
from tests.emulators.mammotion.emulator import MammotionEmulator
from tests.emulators.mammotion.member import Member
from tests.eventually import eventually
from tests.provider.mammotion.hands import Followed, told

RESERVED = bytes([11, 12, 10, 25, 10, 18, 10, 10])
"""As a mower tells it: its settings are one higher by ten than what was sent."""


@pytest.fixture
def emulator(emulator: MammotionEmulator) -> MammotionEmulator:
    """Return a cloud whose mower has two plans, one of them on."""
    off = RESERVED[:2] + bytes([11]) + RESERVED[3:]
    emulator.member().mower.plans = [
        NavPlanJobSet(plan_id="p1", task_name="Mornings", reserved=RESERVED.decode("latin-1"), speed=0.5, week=3),
        NavPlanJobSet(plan_id="p2", task_name="Evenings", reserved=off.decode("latin-1")),
    ]
    return emulator


@pytest.fixture
async def mower(mower: Followed) -> Followed:
    """Return the mower, its settings read."""
    await mower.settled()
    return mower


def setting(mower: Followed, key: str) -> Setting:
    return next(setting for setting in mower.driver.settings if setting.key == key)


def sent_plans(member: Member) -> list[dict[str, Any]]:
    return [message.fields for message in told(member, "todev_planjob_set") if message.fields["sub_cmd"] == 4]


async def reached(true: Callable[[], bool]) -> None:
    """Wait until the mower shows what it was told."""

    async def look() -> bool | None:
        return true() or None

    assert await eventually(look)


async def test_the_vendor_s_plans_are_listed_with_a_warning_while_they_are_on(mower: Followed) -> None:
    morning, evening = setting(mower, "vendor_plan_p1"), setting(mower, "vendor_plan_p2")
    assert (morning.value, morning.label, morning.warning) == ("on", "Mornings", "two_schedulers")
    assert (evening.value, evening.label, evening.warning) == ("off", "Evenings", None)
    assert setting(mower, "vendor_plans").warning == "two_schedulers"


async def test_a_plan_is_switched_off_and_nothing_else_of_it_changes(mower: Followed, member: Member) -> None:
    await mower.driver.put_setting("vendor_plan_p1", "off")
    assert setting(mower, "vendor_plan_p1").value == "off"
    assert setting(mower, "vendor_plans").value == "off"
    (sent,) = sent_plans(member)
    assert sent["reserved"].encode("latin-1") == bytes([1, 2, 1, 15, 0, 8, 0, 0])
    assert (sent["task_name"], sent["week"], round(sent["speed"], 3)) == ("Mornings", 3, 0.5)
    await mower.driver.put_setting("vendor_plan_p1", "on")
    assert member.mower.plans[0].reserved.encode("latin-1") == RESERVED, "there and back it is what it was"


async def test_all_plans_are_switched_off_at_once_and_only_those_that_are_on(mower: Followed, member: Member) -> None:
    await mower.driver.put_setting("vendor_plans", "off")
    assert [sent["plan_id"] for sent in sent_plans(member)] == ["p1"]
    with pytest.raises(InvalidError):
        await mower.driver.put_setting("vendor_plans", "on")


async def test_a_plan_that_was_deleted_meanwhile_is_said_to_be_gone(mower: Followed, member: Member) -> None:
    member.mower.plans = member.mower.plans[1:]
    with pytest.raises(NotFoundError):
        await mower.driver.put_setting("vendor_plan_p1", "off")
    assert sent_plans(member) == []


async def test_rain_detection_is_told_and_put(mower: Followed, member: Member) -> None:
    assert setting(mower, "rain_detection").value == "on"
    await mower.driver.put_setting("rain_detection", "off")
    await reached(lambda: member.mower.status.rain_detection == 0)
    assert setting(mower, "rain_detection").value == "off"


@pytest.mark.parametrize(("key", "light"), [("side_light", "side"), ("night_light", "night")])
async def test_lights_are_switched(mower: Followed, member: Member, key: str, light: str) -> None:
    assert setting(mower, key).value is None, "nobody told yet"
    await mower.driver.put_setting(key, "on")
    await reached(lambda: member.mower.lights.get(light) is True)
    await mower.driver.put_setting(key, "off")
    await reached(lambda: member.mower.lights.get(light) is False)
    assert setting(mower, key).value == "off"


async def test_what_a_mower_tells_of_itself_is_listed_and_not_put(mower: Followed) -> None:
    version = setting(mower, "firmware_version")
    assert (version.value, version.read_only) == ("1.30.26.8", True)
    with pytest.raises(InvalidError) as caught:
        await mower.driver.put_setting("firmware_version", "2")
    assert (caught.value.code, caught.value.field) == ("read_only", "setting_key")


async def test_hours_without_work_are_shown_put_and_switched_off(mower: Followed, member: Member) -> None:
    assert setting(mower, "non_work_hours").value == "off"
    await mower.driver.put_setting("non_work_hours", "22:00-06:30")
    told_minutes = member.mower.non_work_hours
    assert told_minutes == ("1320", "390"), "minutes from midnight"
    assert setting(mower, "non_work_hours").value == "22:00-06:30"
    await mower.driver.put_setting("non_work_hours", "off")
    assert setting(mower, "non_work_hours").value == "off"
    for wrong in ("always", "22:00", "24:00-06:00", "06:00-06:00", None, 7):
        with pytest.raises(InvalidError) as caught:
            await mower.driver.put_setting("non_work_hours", wrong)
        assert caught.value.field == "setting_value"
    assert member.mower.non_work_hours is None


async def test_what_a_job_can_be_told_is_named_in_words_within_the_model_s_limits(mower: Followed) -> None:
    jobs = {one.key: one for one in mower.driver.capabilities.job_settings}
    assert jobs["angle_mode"].allowed == ("relative", "absolute", "random")
    assert jobs["obstacle_detection"].allowed == ("off", "standard", "sensitive")
    assert jobs["pattern"].allowed == ("parallel", "crossed", "segmented", "edges_only")
    assert (jobs["blade_height"].minimum, jobs["blade_height"].maximum, jobs["blade_height"].unit) == (25, 70, "mm")
