"""`/sites`: gardens with their time zone, their coordinates if known, and what their mowers do about rain."""

from edge_gateway.api.asking import Services
from edge_gateway.api.bodies import SiteBody, SitePatch
from edge_gateway.api.endpoints import AnyEndpoint, Call, Endpoint, NoBody, NoQuery
from edge_gateway.api.pages import SitePage
from edge_gateway.contracts import routes
from edge_gateway.contracts.errors import ConflictError, NotFoundError
from edge_gateway.contracts.fleet import Asking, CreateSiteRequest, DeleteSiteRequest, Site, UpdateSiteRequest


class Sites:
    """The handlers of `/sites`."""

    def __init__(self, services: Services) -> None:
        """Ask `services`."""
        self._services = services

    def endpoints(self) -> tuple[AnyEndpoint, ...]:
        """Return the routes."""
        one = "/sites/{site_id}"
        return (
            Endpoint(
                method="GET",
                path="/sites",
                summary="Sites",
                handler=self._list,
                query=NoQuery,
                body=NoBody,
                answer=SitePage,
            ),
            Endpoint(
                method="POST",
                path="/sites",
                summary="Make a site",
                handler=self._create,
                query=NoQuery,
                body=SiteBody,
                answer=Site,
                status=201,
            ),
            Endpoint(
                method="GET",
                path=one,
                summary="One site",
                handler=self._get,
                query=NoQuery,
                body=NoBody,
                answer=Site,
                raises=(NotFoundError,),
            ),
            Endpoint(
                method="PATCH",
                path=one,
                summary="Change a site; a time zone that is given counts as chosen",
                handler=self._update,
                query=NoQuery,
                body=SitePatch,
                answer=Site,
                raises=(NotFoundError,),
            ),
            Endpoint(
                method="DELETE",
                path=one,
                summary="Delete a site that is not the default one and has no mowers",
                handler=self._delete,
                query=NoQuery,
                body=NoBody,
                answer=None,
                status=204,
                raises=(NotFoundError, ConflictError),
            ),
        )

    async def _list(self, call: Call[NoQuery, NoBody]) -> SitePage:
        reply = await self._services.ask(routes.SITES_LIST, Asking(**call.asking))
        return SitePage(items=reply.items)

    async def _get(self, call: Call[NoQuery, NoBody]) -> Site:
        reply = await self._services.ask(routes.SITES_LIST, Asking(**call.asking))
        for site in reply.items:
            if site.id == call.ids["site_id"]:
                return site
        raise NotFoundError("not_found", "There is no such site.", field="site_id")

    async def _create(self, call: Call[NoQuery, SiteBody]) -> Site:
        body = call.body
        question = CreateSiteRequest(
            **call.asking,
            name=body.name,
            time_zone=body.time_zone,
            latitude=body.latitude,
            longitude=body.longitude,
            rain=body.rain,
            weather_source=body.weather_source,
            quiet_hours=body.quiet_hours,
        )
        return await self._services.ask(routes.SITES_CREATE, question)

    async def _update(self, call: Call[NoQuery, SitePatch]) -> Site:
        body = call.body
        question = UpdateSiteRequest(
            **call.asking,
            site_id=call.ids["site_id"],
            name=body.name,
            time_zone=body.time_zone,
            latitude=body.latitude,
            longitude=body.longitude,
            rain=body.rain,
            weather_source=body.weather_source,
            quiet_hours=body.quiet_hours,
        )
        return await self._services.ask(routes.SITES_UPDATE, question)

    async def _delete(self, call: Call[NoQuery, NoBody]) -> None:
        await self._services.ask(routes.SITES_DELETE, DeleteSiteRequest(**call.asking, site_id=call.ids["site_id"]))
