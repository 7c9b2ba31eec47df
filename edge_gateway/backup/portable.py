"""Sites, groups and plans as a document that people can read and another gateway can take: through the API alone."""

from http import HTTPStatus
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
import structlog

from edge_gateway.backup import manifest
from edge_gateway.contracts.errors import ConfigurationError, InvalidError, UnavailableError
from edge_gateway.contracts.principals import OWNER, PRINCIPAL_HEADER
from edge_gateway.contracts.schedules import ScheduleDraft

_log = structlog.get_logger(__name__)

_FORMAT = "mowdeck-plans"
_ANSWER_SECONDS = 30.0
_SITE_FIELDS = ("name", "time_zone", "latitude", "longitude", "rain", "weather_source", "quiet_hours")
_GROUP_FIELDS = ("name", "mower_ids", "max_concurrent")
_PLAN_FIELDS = tuple(field.name for field in msgspec.structs.fields(ScheduleDraft))

type Item = dict[str, Any]


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """What is written to the file."""

    format: str = _FORMAT
    version: int = 1
    sites: list[Item]
    mowers: list[Item]
    """Id and name alone: plans and groups speak of them by id, and elsewhere they may have another."""
    groups: list[Item]
    schedules: list[Item]


class Gateway:
    """A running gateway's API."""

    def __init__(self, session: aiohttp.ClientSession, url: str) -> None:
        """Ask over `session`, which carries the token."""
        self._session = session
        self._url = url

    async def list(self, what: str) -> list[Item]:
        """Return all items of a list, page after page."""
        items: list[Item] = []
        cursor = ""
        while True:
            page = await self.ask("GET", f"{what}?cursor={cursor}" if cursor else what)
            items += page["items"]
            if not (cursor := page.get("next") or ""):
                return items

    async def ask(self, method: str, path: str, body: Item | None = None, *, key: str = "") -> Item:
        """Ask once; raises `InvalidError` or `UnavailableError` with the gateway's own sentence."""
        headers = {"Idempotency-Key": key} if key else {}
        try:
            async with self._session.request(
                method, f"{self._url}/api/v1/{path}", json=body, headers=headers
            ) as answer:
                content: Item = await answer.json()
        except (aiohttp.ClientError, TimeoutError) as error:
            raise UnavailableError(code="gateway_silent", detail=f"The gateway does not answer: {error}") from error
        if answer.status >= HTTPStatus.BAD_REQUEST:
            raise InvalidError(code=content["error"]["code"], detail=content["error"]["detail"])
        return content


async def export(folder: Path, file: Path) -> int:
    """Write the document of the gateway that runs on the data folder; return the exit code."""
    manifest.write_private(file, await as_text(folder))
    return 0


async def as_text(folder: Path) -> bytes:
    """Return the document of the gateway that runs on the data folder."""
    async with _session(folder) as session:
        document = await collect(Gateway(session, _url(folder)))
    return msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n"


async def collect(gateway: Gateway) -> Document:
    """Return sites, groups and plans."""
    return Document(
        sites=[_only(site, ("id", *_SITE_FIELDS)) for site in await gateway.list("sites")],
        mowers=[_only(mower, ("id", "name")) for mower in await gateway.list("mowers")],
        groups=[_only(group, ("id", *_GROUP_FIELDS)) for group in await gateway.list("groups")],
        schedules=[_only(plan, ("id", *_PLAN_FIELDS)) for plan in await gateway.list("schedules")],
    )


async def bring_in(folder: Path, file: Path) -> int:
    """Make what the running gateway lacks of a document; return the exit code: 1 when something was left out.

    What has the same id or name is brought up to date (sites, groups); plans that were brought in before stay.
    """
    document = _read(file)
    async with _session(folder) as session:
        left_out = await _bring_in(Gateway(session, _url(folder)), document)
    for line in left_out:
        _log.warning("left out", what=line)
    return 1 if left_out else 0


async def _bring_in(gateway: Gateway, document: Document) -> list[str]:
    mowers = _matches(document.mowers, await gateway.list("mowers"))
    left_out: list[str] = []
    await _put(gateway, "sites", document.sites, _SITE_FIELDS)
    groups = [
        group | {"mower_ids": [mowers[mower] for mower in group["mower_ids"] if mower in mowers]}
        for group in document.groups
    ]
    targets = {"mower_id": mowers, "group_id": await _put(gateway, "groups", groups, _GROUP_FIELDS)}
    here = {plan["id"] for plan in await gateway.list("schedules")}
    for plan in document.schedules:
        kind, target = next((kind, id_) for kind, id_ in plan["target"].items() if id_ is not None)
        if plan["id"] in here:
            continue
        if target not in targets[kind]:
            left_out.append(f"the plan {plan['name']}: there is no such mower or group here ({target})")
            continue
        body = _only(plan, _PLAN_FIELDS) | {"target": {kind: targets[kind][target]}}
        try:
            await gateway.ask("POST", "schedules", body, key=f"import-{plan['id']}")
        except InvalidError as error:
            left_out.append(f"the plan {plan['name']}: {error.detail}")
    return left_out


async def _put(gateway: Gateway, what: str, items: list[Item], fields: tuple[str, ...]) -> dict[str, str]:
    """Make or update each item; return the ids here by the ids in the document."""
    ids = _matches(items, await gateway.list(what))
    for item in items:
        body = _only(item, fields)
        if item["id"] in ids:
            await gateway.ask("PATCH", f"{what}/{ids[item['id']]}", body)
        else:
            made = await gateway.ask("POST", what, body, key=f"import-{item['id']}")
            ids[item["id"]] = made["id"]
    return ids


def _read(file: Path) -> Document:
    try:
        document = msgspec.json.decode(file.read_bytes(), type=Document)
    except (OSError, msgspec.DecodeError) as error:
        raise ConfigurationError(code="plans_unreadable", detail=f"{file} cannot be read: {error}") from error
    if document.format != _FORMAT or document.version != 1:
        raise ConfigurationError(code="plans_unreadable", detail=f"{file} holds no plans of MowDeck.", field="format")
    return document


def _matches(items: list[Item], here: list[Item]) -> dict[str, str]:
    """Return for items of a document which one here is meant: that of the same id, else of the same name."""
    known = {item["id"] for item in here}
    by_name = {item["name"]: item["id"] for item in here}
    found = {item["id"]: item["id"] if item["id"] in known else by_name.get(item["name"]) for item in items}
    return {there: id_ for there, id_ in found.items() if id_ is not None}


def _only(item: Item, fields: tuple[str, ...]) -> Item:
    return {name: item[name] for name in fields if name in item}


def _url(folder: Path) -> str:
    try:
        return f"http://127.0.0.1:{int((folder / 'port').read_text())}"
    except (OSError, ValueError) as error:
        raise UnavailableError(
            code="gateway_not_running", detail=f"No gateway runs on {folder}.", remedy="Start it first."
        ) from error


def _session(folder: Path) -> aiohttp.ClientSession:
    try:
        token = (folder / "token").read_text(encoding="ascii").strip()
    except OSError as error:
        raise UnavailableError(code="gateway_not_running", detail=f"There is no gateway in {folder}.") from error
    return aiohttp.ClientSession(
        headers={"Authorization": f"Bearer {token}", PRINCIPAL_HEADER: OWNER},
        timeout=aiohttp.ClientTimeout(total=_ANSWER_SECONDS),
    )
