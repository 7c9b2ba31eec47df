"""Which button of a bridge restarts it. Pure.

ESPHome gives the class `restart` to three buttons: restart, start in safe mode, and factory reset, which forgets key
and Wi-Fi. Public bridge firmware has the last two and not the first.
"""

from collections.abc import Iterable

from aioesphomeapi import ButtonInfo, EntityInfo

_MEANS_RESTART = ("restart", "reboot")
_MEANS_MORE = ("safe", "factory", "reset", "boot_loader", "bootloader")


def restart_key(entities: Iterable[EntityInfo]) -> int | None:
    """Return the key of the button that restarts and does nothing else; null when none says so by its name."""
    for entity in entities:
        if isinstance(entity, ButtonInfo) and entity.device_class == "restart":
            said = f"{entity.object_id} {entity.name}".lower()
            if any(word in said for word in _MEANS_RESTART) and not any(word in said for word in _MEANS_MORE):
                return entity.key
    return None
