"""Subentries of an entry as mirrors of what the gateway has: logins, Bluetooth bridges, groups.

A mirror holds the id and nothing else; its title is the gateway's. The entry's data names what was mirrored: what is
named there and has no subentry was deleted here, and is deleted at the gateway as soon as it can be told. Both lie in
one file that is written at once, so that no crash makes a deletion of what nobody deleted.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from homeassistant.config_entries import SIGNAL_CONFIG_ENTRY_CHANGED, ConfigEntry, ConfigEntryChange, ConfigSubentry
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.dispatcher import async_dispatcher_connect

from .client.client import Client
from .client.errors import ClientError, RefusedError
from .const import DOMAIN, LOGGER
from .told_errors import said

CONF_ID = "id"
CONF_MIRRORED = "mirrored"

HTTP_NOT_FOUND = 404


class Kind(StrEnum):
    """What is mirrored: the type of its subentries."""

    VENDOR_ACCOUNT = "vendor_account"
    BRIDGE = "bridge"
    GROUP = "group"


class Mirrors:
    """The mirrors of one entry."""

    def __init__(self, hass: HomeAssistant, entry: ConfigEntry[Any], client: Client) -> None:
        """Mirror what a client's gateway has; nothing happens before `start`."""
        self.turn = asyncio.Lock()
        """Held by whoever makes something at the gateway for a subentry, or brings the subentries up to date."""
        self._hass = hass
        self._entry = entry
        self._remove: dict[Kind, Callable[[str], Awaitable[None]]] = {
            Kind.VENDOR_ACCOUNT: client.delete_vendor_account,
            Kind.BRIDGE: client.delete_bridge,
            Kind.GROUP: client.delete_group,
        }
        self._titles: dict[tuple[Kind, str], str] = {}
        self._taking = False
        self._refused: set[str] = set()
        """The repairs about what the gateway did not let go."""
        self._deletion_listeners: list[Callable[[Kind], None]] = []

    @callback
    def start(self) -> None:
        """Watch the subentries for as long as the entry is loaded."""
        self._entry.async_on_unload(
            async_dispatcher_connect(self._hass, SIGNAL_CONFIG_ENTRY_CHANGED, self._entry_changed)
        )
        self._entry.async_on_unload(self._clear)

    @callback
    def on_deleted(self, listener: Callable[[Kind], None]) -> None:
        """Have someone told that something of a kind was deleted here; it is to `settle` that."""
        self._deletion_listeners.append(listener)

    @callback
    def find(self, kind: Kind, subject_id: str) -> ConfigSubentry | None:
        """Return the mirror of something."""
        return self._by_id(kind).get(subject_id)

    async def settle(self, kind: Kind) -> None:
        """Delete at the gateway what was deleted here; `turn` is held. What cannot be told now is told later."""
        for subject_id in sorted(self._deleted(kind)):
            try:
                await self._remove[kind](subject_id)
            except RefusedError as error:
                if error.status != HTTP_NOT_FOUND:
                    self._show_refused(kind, subject_id, await said(self._hass, error))
                    self._keep_mirrored(kind, self._mirrored(kind) - {subject_id})
            except ClientError as error:
                LOGGER.debug("%s %s is not deleted yet: %s", kind, subject_id, error)

    @callback
    def take(self, kind: Kind, titles: Mapping[str, str]) -> None:
        """Bring the mirrors of a kind to what the gateway has; `turn` is held."""
        self._taking = True
        try:
            self._take(kind, titles)
        finally:
            self._taking = False

    def _take(self, kind: Kind, titles: Mapping[str, str]) -> None:
        known, deleted = self._by_id(kind), self._deleted(kind)
        for subject_id, title in titles.items():
            self._titles[kind, subject_id] = title
            if (subentry := known.get(subject_id)) is not None:
                self._hass.config_entries.async_update_subentry(self._entry, subentry, title=title)
            elif subject_id not in deleted:
                self._add(kind, subject_id, title)
        for subject_id in known.keys() - titles.keys():
            self._hass.config_entries.async_remove_subentry(self._entry, known[subject_id].subentry_id)
        self._keep_mirrored(kind, frozenset(titles))

    def _add(self, kind: Kind, subject_id: str, title: str) -> None:
        subentry = ConfigSubentry(
            data=MappingProxyType({CONF_ID: subject_id}), subentry_type=kind, title=title, unique_id=subject_id
        )
        self._hass.config_entries.async_add_subentry(self._entry, subentry)

    def _by_id(self, kind: Kind) -> dict[str, ConfigSubentry]:
        return {each.data[CONF_ID]: each for each in self._entry.subentries.values() if each.subentry_type == kind}

    def _mirrored(self, kind: Kind) -> frozenset[str]:
        return frozenset(self._entry.data.get(CONF_MIRRORED, {}).get(kind, ()))

    def _deleted(self, kind: Kind) -> frozenset[str]:
        """Return what was mirrored and was deleted here: the tombstones."""
        return self._mirrored(kind) - self._by_id(kind).keys()

    def _keep_mirrored(self, kind: Kind, subject_ids: frozenset[str]) -> None:
        if subject_ids != self._mirrored(kind):
            mirrored = {**self._entry.data.get(CONF_MIRRORED, {}), str(kind): sorted(subject_ids)}
            data = {**self._entry.data, CONF_MIRRORED: mirrored}
            self._hass.config_entries.async_update_entry(self._entry, data=data)

    @callback
    def _entry_changed(self, _change: ConfigEntryChange, entry: ConfigEntry[Any]) -> None:
        if self._taking or entry.entry_id != self._entry.entry_id:
            return
        for kind in Kind:
            # One that a person has just made by a flow.
            self._keep_mirrored(kind, self._mirrored(kind) | self._by_id(kind).keys())
            if self._deleted(kind):
                for listener in self._deletion_listeners:
                    listener(kind)

    @callback
    def _show_refused(self, kind: Kind, subject_id: str, detail: str) -> None:
        issue_id = f"{self._entry.entry_id}_not_removed_{subject_id}"
        self._refused.add(issue_id)
        ir.async_create_issue(
            self._hass,
            DOMAIN,
            issue_id,
            is_fixable=False,
            severity=ir.IssueSeverity.WARNING,
            translation_key="not_removed",
            translation_placeholders={
                "name": self._titles.get((kind, subject_id), subject_id),
                "detail": detail,
            },
        )

    @callback
    def _clear(self) -> None:
        for issue_id in self._refused:
            ir.async_delete_issue(self._hass, DOMAIN, issue_id)
        self._refused.clear()
