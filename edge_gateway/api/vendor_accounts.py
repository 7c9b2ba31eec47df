"""`/vendor-accounts`: logins at vendors; their secrets go to the device gateway and are never answered."""

from edge_gateway.api.asking import Services
from edge_gateway.api.bodies import VendorAccountBody, VendorAccountPatch
from edge_gateway.api.endpoints import AnyEndpoint, Call, Endpoint, NoBody, NoQuery
from edge_gateway.api.pages import VendorAccountPage
from edge_gateway.contracts import routes
from edge_gateway.contracts.errors import ConflictError, NotFoundError
from edge_gateway.contracts.fleet import (
    Asking,
    CreateVendorAccountRequest,
    DeleteVendorAccountRequest,
    UpdateVendorAccountRequest,
    VendorAccount,
)


class VendorAccounts:
    """The handlers of `/vendor-accounts`."""

    def __init__(self, services: Services, *, login_timeout_seconds: float) -> None:
        """Ask `services`; a login at a vendor may take `login_timeout_seconds`."""
        self._services = services
        self._login_timeout_seconds = login_timeout_seconds

    def endpoints(self) -> tuple[AnyEndpoint, ...]:
        """Return the routes."""
        one = "/vendor-accounts/{vendor_account_id}"
        return (
            Endpoint(
                method="GET",
                path="/vendor-accounts",
                summary="Logins at vendors and how they are",
                handler=self._list,
                query=NoQuery,
                body=NoBody,
                answer=VendorAccountPage,
            ),
            Endpoint(
                method="POST",
                path="/vendor-accounts",
                summary="Log in at a vendor; a refused login stores nothing",
                handler=self._create,
                query=NoQuery,
                body=VendorAccountBody,
                answer=VendorAccount,
                status=201,
                raises=(ConflictError,),
            ),
            Endpoint(
                method="PATCH",
                path=one,
                summary="Log in again with a new password",
                handler=self._update,
                query=NoQuery,
                body=VendorAccountPatch,
                answer=VendorAccount,
                raises=(NotFoundError, ConflictError),
            ),
            Endpoint(
                method="DELETE",
                path=one,
                summary="Forget a login; its mowers stay, unavailable",
                handler=self._delete,
                query=NoQuery,
                body=NoBody,
                answer=None,
                status=204,
                raises=(NotFoundError,),
            ),
        )

    async def _list(self, call: Call[NoQuery, NoBody]) -> VendorAccountPage:
        reply = await self._services.ask(routes.VENDOR_ACCOUNTS_LIST, Asking(**call.asking))
        return VendorAccountPage(items=reply.items)

    async def _create(self, call: Call[NoQuery, VendorAccountBody]) -> VendorAccount:
        question = CreateVendorAccountRequest(
            **call.asking, provider=call.body.provider, username=call.body.username, password=call.body.password
        )
        return await self._services.ask(
            routes.VENDOR_ACCOUNTS_CREATE, question, timeout_seconds=self._login_timeout_seconds
        )

    async def _update(self, call: Call[NoQuery, VendorAccountPatch]) -> VendorAccount:
        question = UpdateVendorAccountRequest(
            **call.asking,
            vendor_account_id=call.ids["vendor_account_id"],
            password=call.body.password,
        )
        return await self._services.ask(
            routes.VENDOR_ACCOUNTS_UPDATE, question, timeout_seconds=self._login_timeout_seconds
        )

    async def _delete(self, call: Call[NoQuery, NoBody]) -> None:
        question = DeleteVendorAccountRequest(**call.asking, vendor_account_id=call.ids["vendor_account_id"])
        await self._services.ask(routes.VENDOR_ACCOUNTS_DELETE, question)
