"""The cloud of older models: its requests counted, its list of mowers read again.

The library talks to it through a client of its own, so nothing that passes our HTTP session tells of these requests.
"""

import time
from collections.abc import Awaitable, Callable

from pymammotion.aliyun.cloud_gateway import CloudIOTGateway
from pymammotion.aliyun.model.dev_by_account_response import Device

from edge_gateway.device_gateway.mammotion.traffic import Traffic

_REQUESTS = (
    ("get_region", "login"),
    ("connect", "login"),
    ("login_by_oauth", "login"),
    ("aep_handle", "login"),
    ("session_by_auth_code", "login"),
    ("sign_out", "other"),
    ("send_cloud_command", "send"),
    ("list_binding_by_account", "devices"),
    ("list_binding_by_dev", "devices"),
    ("get_shared_notice_list", "devices"),
    ("confirm_share", "devices"),
    ("get_device_properties", "other"),
    ("get_device_status", "other"),
)
"""The library's requests, and their kinds."""
_SPARE_SECONDS = 3600
"""The library renews a token that ends earlier."""
_PENDING = -1
"""The vendor's word for a share that was not answered yet."""
_MARK = "passes_our_traffic"


def count_requests(gateway: CloudIOTGateway, traffic: Traffic) -> None:
    """Let the requests of a gateway pass through the account's traffic; a second time it does nothing."""
    if vars(gateway).get(_MARK, False):
        return
    setattr(gateway, _MARK, True)
    for name, kind in _REQUESTS:
        setattr(gateway, name, _counted(getattr(gateway, name), traffic, kind))
    renew = gateway.check_or_refresh_session

    async def renewed(*, force: bool = False) -> None:
        if not force and _is_fresh(gateway):
            return
        async with traffic.passing("refresh"):
            await renew(force=force)

    gateway.check_or_refresh_session = renewed  # type: ignore[method-assign]  # the library offers no other place


async def listed(gateway: CloudIOTGateway) -> list[Device]:
    """Ask which mowers the account has, after what was shared to it is accepted.

    Two requests, three with a new share. Raises what the library raises.
    """
    notices = await gateway.get_shared_notice_list()
    shares = notices.data.data if notices.data is not None else []
    if pending := [share.record_id for share in shares if share.status == _PENDING]:
        await gateway.confirm_share(pending)
    answer = await gateway.list_binding_by_account()
    return list(answer.data.data) if answer.data is not None else []


def _is_fresh(gateway: CloudIOTGateway) -> bool:
    """Tell whether the token is good for some time: then renewing it asks nothing."""
    session = gateway.session_by_authcode_response
    if session is None or session.data is None or session.data.iotTokenExpire is None:
        return False
    ends_at: float = gateway._iot_token_issued_at + session.data.iotTokenExpire  # noqa: SLF001  # told nowhere else
    return ends_at > time.time() + _SPARE_SECONDS


def _counted[**P, A](request: Callable[P, Awaitable[A]], traffic: Traffic, kind: str) -> Callable[P, Awaitable[A]]:
    async def counted(*arguments: P.args, **keywords: P.kwargs) -> A:
        async with traffic.passing(kind):
            return await request(*arguments, **keywords)

    return counted
