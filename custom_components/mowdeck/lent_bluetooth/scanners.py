"""The adapters and proxies of Home Assistant, and how many connections each can still make."""

from collections.abc import Callable

from habluetooth import BaseHaScanner, get_manager
from homeassistant.components import bluetooth
from homeassistant.core import HomeAssistant, callback

from custom_components.mowdeck.client.lending_said import Scanner


@callback
def scanners_now(hass: HomeAssistant) -> tuple[Scanner, ...]:
    """Return all of them, in an order that stays."""
    return tuple(
        sorted((_scanner(each) for each in bluetooth.async_current_scanners(hass)), key=lambda each: each.source)
    )


@callback
def watch_scanners(changed: Callable[[], None]) -> Callable[[], None]:
    """Call `changed` when one came, went, or has other free slots; the answer ends that."""
    manager = get_manager()
    endings = (
        manager.async_register_scanner_registration_callback(lambda _registration: changed(), None),
        manager.async_register_allocation_callback(lambda _allocations: changed()),
    )

    def end() -> None:
        for each in endings:
            each()

    return end


@callback
def full(hass: HomeAssistant, address: str) -> bool:
    """Tell whether every scanner that hears an address, and tells its slots, has none left."""
    heard_by = bluetooth.async_scanner_devices_by_address(hass, address, connectable=True)
    slots = [_slots(each.scanner) for each in heard_by]
    return bool(slots) and all(free == 0 for _, free in slots)


def _scanner(scanner: BaseHaScanner) -> Scanner:
    slots, free = _slots(scanner)
    return Scanner(
        source=scanner.source, name=scanner.name, connectable=scanner.connectable, slots=slots, free_slots=free
    )


def _slots(scanner: BaseHaScanner) -> tuple[int | None, int | None]:
    """Return how many connections a scanner can hold and still make; None where it does not tell."""
    allocations = scanner.get_allocations()
    # No slots at all is how one says that it has not told yet.
    if allocations is None or allocations.slots == 0:
        return None, None
    return allocations.slots, allocations.free
