"""The rules of the Supervisor for an app's files (its documentation, as of 2026.11), and where the files lie."""

import re
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import yaml  # type: ignore[import-untyped]  # it has no types; its stubs would be one more pin

from scripts.set_up.places import ROOT

ADDON = ROOT / "addon"

type Version = Annotated[str, msgspec.Meta(pattern=r"^\d+\.\d+\.\d+$")]
type Port = Annotated[int, msgspec.Meta(ge=1, le=65535)]
type Element = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^(?:bool|email|url|port|device(?:\(subsystem=[a-z]+\))?|str(?:\(\d*,\d*\))?|password(?:\(\d*,\d*\))?"
        r"|int(?:\(-?\d*,-?\d*\))?|float(?:\(-?[\d.]*,-?[\d.]*\))?|match\(.+\)|list\(.+\))\??$"
    ),
]


class Config(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`config.yaml`: the keys that an app without privileges may need. The Supervisor drops unknown ones in silence."""

    name: str
    version: Version
    slug: Annotated[str, msgspec.Meta(pattern=r"^[-_.A-Za-z0-9]+$")]
    description: str
    arch: tuple[Literal["aarch64", "amd64"], ...]
    url: Annotated[str, msgspec.Meta(pattern="^https://")]
    image: Annotated[str, msgspec.Meta(pattern=r"^([a-zA-Z\-.:\d{}]+/)*?([-\w{}]+)/([-\w{}]+)$")]
    startup: Literal["initialize", "system", "services", "application", "once"] = "application"
    boot: Literal["auto", "manual", "manual_only"] = "auto"
    stage: Literal["stable", "experimental", "deprecated"] = "stable"
    homeassistant: Version
    init: bool = True
    ingress: bool = False
    ingress_port: Port | Literal[0] = 8099
    ingress_stream: bool = False
    panel_icon: Annotated[str, msgspec.Meta(pattern="^mdi:[a-z-]+$")] = "mdi:puzzle"
    panel_title: str = ""
    panel_admin: bool = True
    ports: dict[Annotated[str, msgspec.Meta(pattern=r"^\d+/(tcp|udp)$")], Port | None] = {}
    ports_description: dict[str, str] = {}
    discovery: tuple[str, ...] = ()
    homeassistant_api: bool = False
    watchdog: Annotated[str, msgspec.Meta(pattern=r"^(?:https?|\[PROTO:\w+\]|tcp)://\[HOST\]:(\[PORT:\d+\]|\d+).*$")]
    timeout: Annotated[int, msgspec.Meta(ge=10, le=300)] = 10
    backup: Literal["hot", "cold"] = "hot"
    backup_pre: str = ""
    backup_exclude: tuple[str, ...] = ()
    apparmor: bool = True
    options: dict[str, Any] = {}
    schema: dict[str, Element] = {}
    # None of these shall ever be asked for.
    host_network: Literal[False] = False
    hassio_role: Literal["default"] = "default"


class Translated(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of one option."""

    name: str
    description: str


class Translation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`translations/<language>.yaml`."""

    configuration: dict[str, Translated]
    network: dict[str, str]


class Repository(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`repository.yaml`."""

    name: str
    url: str
    maintainer: str


def read[T](path: Path, kind: type[T]) -> T:
    """Return a YAML file by its rules; raises `msgspec.ValidationError` naming what breaks them."""
    return msgspec.convert(yaml.safe_load(path.read_text(encoding="utf-8")), kind)


def rating(config: Config, *, profile: bool, signed: bool) -> int:
    """Return the security rating that the Supervisor gives an app that asks for nothing (of at most 8)."""
    return min(8, 5 + 2 * config.ingress + profile + signed - (not config.apparmor))


def allowed(element: str, value: str | int) -> bool:
    """Tell whether a value is one of a schema's element, for those that our options use."""
    kind, _, rest = element.rstrip("?").partition("(")
    match kind:
        case "list":
            return value in rest.rstrip(")").split("|")
        case "int":
            least, most = re.findall(r"\d+", rest)
            return int(least) <= int(value) <= int(most)
        case _:
            return isinstance(value, str)
