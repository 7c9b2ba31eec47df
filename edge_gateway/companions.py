"""What runs beside the services when the settings ask for it: the app's page, and telling where the gateway is."""

import structlog

from edge_gateway import __version__, logs
from edge_gateway.backup import folders, manifest, portable
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.errors import MowDeckError
from edge_gateway.contracts.service import Service
from edge_gateway.ingress.gathering import Backup, Gatherer
from edge_gateway.instance import Instance
from edge_gateway.settings import Settings

# ruff: noqa: PLC0415 - what is not asked for is not loaded

_log = structlog.get_logger(__name__)


def make_page(settings: Settings, instance: Instance, clock: Clock) -> Service | None:
    """Return the app's page; null where none is asked for."""
    if settings.ingress.port is None:
        return None
    from edge_gateway.ingress.service import Ingress

    return Ingress(
        settings.ingress,
        Gatherer(instance.folder, instance.token, clock=clock, version=__version__),
        backup=lambda: _backup(instance),
        log=logs.tail,
        plans=lambda: portable.as_text(instance.folder),
    )


def make_discovery(settings: Settings, instance: Instance) -> Service | None:
    """Return what tells of the gateway: the Supervisor where there is one, else the network; null where nobody is."""
    if settings.supervisor.url is None:
        return _announcement(settings, instance) if settings.announcement.enabled else None
    from edge_gateway.supervisor.discovery import Discovery

    return Discovery(settings.supervisor, port=lambda: _port(instance), token=instance.token)


def _announcement(settings: Settings, instance: Instance) -> Service:
    from edge_gateway.announcement.addresses import announced_addresses
    from edge_gateway.announcement.announcement import Announced, Announcement, own_addresses
    from edge_gateway.api.authentication import VERSION_MAXIMUM, VERSION_MINIMUM

    return Announcement(
        Announced(
            gateway_id=instance.gateway_id,
            name=settings.api.gateway_name,
            version=__version__,
            api_min=VERSION_MINIMUM,
            api_max=VERSION_MAXIMUM,
        ),
        port=lambda: _port(instance),
        addresses=lambda: announced_addresses(settings.api.host, own_addresses()),
    )


def _port(instance: Instance) -> int:
    return int((instance.folder / "port").read_text())


def _backup(instance: Instance) -> Backup:
    failure = folders.read_failure(instance.folder)
    said = failure.detail if failure else None
    newest = folders.newest(instance.folder)
    if newest is None:
        return Backup(failure=said)
    try:
        made = manifest.read(newest)
    except MowDeckError as error:
        return Backup(failure=error.detail)
    rows = sum(table.rows for table in made.tables.values())
    return Backup(made_at=made.made_at, rows=rows, bytes=made.dump_bytes, failure=said)
