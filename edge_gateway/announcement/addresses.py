"""Under which addresses others in the network reach the API. Pure."""

from collections.abc import Sequence
from ipaddress import IPv4Address, ip_address

_EVERYWHERE = frozenset({"0.0.0.0", "::", ""})  # noqa: S104  # what a setting may say, nothing is bound here


def announced_addresses(host: str, own: Sequence[str]) -> tuple[str, ...]:
    """Return the IPv4 addresses to announce of an API that listens on `host` of a machine with the addresses `own`.

    None of loopback, which leads everybody to themselves, and none of a host that is given by a name: what it stands
    for elsewhere is not known here.
    """
    wanted = tuple(own) if host in _EVERYWHERE else (host,)
    return tuple(sorted(address for address in set(wanted) if _leads_here(address)))


def _leads_here(address: str) -> bool:
    try:
        parsed = ip_address(address)
    except ValueError:
        return False
    return isinstance(parsed, IPv4Address) and not parsed.is_loopback and not parsed.is_unspecified
