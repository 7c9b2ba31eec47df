"""Puts the services together, in the order in which they start.

A service's code is imported when it is put together: a program that runs Telemetry alone loads no vendor's library.
"""

from collections.abc import Awaitable, Callable

import msgspec

from edge_gateway.bus.protocol import EventBus
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.errors import ConfigurationError
from edge_gateway.contracts.service import Service
from edge_gateway.database.pools import Pool
from edge_gateway.instance import Instance
from edge_gateway.settings import Settings

# ruff: noqa: PLC0415 - imported when it is put together, as said above


class House(msgspec.Struct, frozen=True, kw_only=True):
    """What the services are put together with."""

    bus: EventBus
    clock: Clock
    settings: Settings
    instance: Instance
    open_pool: Callable[[str], Awaitable[Pool]]
    """Opens a service's own pool, by the service's name."""


type Factory = Callable[[House], Awaitable[Service]]


async def _fleet(house: House) -> Service:
    from edge_gateway.fleet.service import FleetService

    return FleetService(
        bus=house.bus, pool=await house.open_pool("fleet"), clock=house.clock, settings=house.settings.fleet
    )


async def _telemetry(house: House) -> Service:
    from edge_gateway.telemetry.service import TelemetryService

    return TelemetryService(
        bus=house.bus,
        pool=await house.open_pool("telemetry"),
        clock=house.clock,
        settings=house.settings.telemetry,
        instance_id=house.instance.gateway_id,
    )


async def _notifications(house: House) -> Service:
    from edge_gateway.notifications.service import NotificationsService

    return NotificationsService(
        bus=house.bus,
        pool=await house.open_pool("notifications"),
        clock=house.clock,
        settings=house.settings.notifications,
        instance_id=house.instance.gateway_id,
    )


async def _scheduler(house: House) -> Service:
    from edge_gateway.scheduler.service import SchedulerService

    return SchedulerService(
        bus=house.bus, pool=await house.open_pool("scheduler"), clock=house.clock, settings=house.settings.scheduler
    )


async def _device_gateway(house: House) -> Service:
    from edge_gateway.device_gateway.bridges.bridges import Bridges
    from edge_gateway.device_gateway.lent_bluetooth.lending_desk import LendingDesk
    from edge_gateway.device_gateway.lent_bluetooth.lent_bluetooth import LentBluetooth
    from edge_gateway.device_gateway.mammotion.vendor import MammotionVendor
    from edge_gateway.device_gateway.near_bluetooth import NearBluetooth
    from edge_gateway.device_gateway.service import DeviceGatewayService
    from edge_gateway.device_gateway.vendor_accounts.accounts import VendorAccounts

    pool = await house.open_pool("device_gateway")
    instance_id = house.instance.gateway_id
    bridges = Bridges(
        bus=house.bus,
        pool=pool,
        clock=house.clock,
        box=house.instance.secret_box,
        settings=house.settings.bridges,
        instance_id=instance_id,
    )
    lent = LentBluetooth(bridges.neighbourhood.radio, house.settings.bridges)
    vendor = MammotionVendor(
        settings=house.settings.mammotion,
        clock=house.clock,
        bluetooth=NearBluetooth([bridges.neighbourhood, lent]),
        bridges=house.settings.bridges,
    )
    return DeviceGatewayService(
        bus=house.bus,
        pool=pool,
        clock=house.clock,
        settings=house.settings.device_gateway,
        simulator=house.settings.simulator,
        instance_id=instance_id,
        make_vendor_accounts=lambda host: VendorAccounts(
            host,
            bus=house.bus,
            pool=pool,
            clock=house.clock,
            box=house.instance.secret_box,
            vendors=[vendor],
            instance_id=instance_id,
        ),
        bluetooth=[bridges, LendingDesk(lent, bus=house.bus, instance_id=instance_id)],
    )


async def _api(house: House) -> Service:
    from edge_gateway.api.service import ApiService

    return ApiService(
        bus=house.bus,
        clock=house.clock,
        settings=house.settings.api,
        gateway_id=house.instance.gateway_id,
        token=house.instance.token,
        write_port=house.instance.write_port,
    )


FACTORIES: dict[str, Factory] = {
    "fleet": _fleet,
    "telemetry": _telemetry,
    "notifications": _notifications,
    "scheduler": _scheduler,
    "device_gateway": _device_gateway,
    "api": _api,
}
"""By name, in the order of starting: whoever asks comes after whoever answers; the API, which lets people in, last."""


def chosen(names: str | None) -> list[str]:
    """Return the services to run, in the order of starting, from the text of `--services`; null: all.

    Raises `ConfigurationError` (`unknown_service`).
    """
    if names is None:
        return list(FACTORIES)
    wanted = {name.strip() for name in names.split(",") if name.strip()}
    if unknown := sorted(wanted - FACTORIES.keys()):
        raise ConfigurationError(
            code="unknown_service",
            detail=f"--services is {names!r}: there is no service {', '.join(unknown)}.",
            remedy=f"There are {', '.join(FACTORIES)}.",
            field="--services",
        )
    if not wanted:
        raise ConfigurationError(
            code="unknown_service",
            detail="--services is empty.",
            remedy=f"Name one or more of {', '.join(FACTORIES)}, or leave the option out for all.",
            field="--services",
        )
    return [name for name in FACTORIES if name in wanted]
