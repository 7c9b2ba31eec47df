"""`/principals/{instance_id}`: a Home Assistant tells who is there and what each may do."""

from typing import Annotated

import msgspec

from edge_gateway.api.asking import Services
from edge_gateway.api.bodies import Identifier
from edge_gateway.api.endpoints import AnyEndpoint, Call, Endpoint, NoQuery
from edge_gateway.contracts import routes
from edge_gateway.contracts.errors import ConflictError
from edge_gateway.contracts.grants import Grant, PrincipalsReply, PutPrincipalsRequest, User
from edge_gateway.contracts.principals import PRINCIPAL_NAME_PATTERN, Relation

type Principal = Annotated[
    str, msgspec.Meta(pattern=f"^user:{PRINCIPAL_NAME_PATTERN}$", description="`user:<Home Assistant user id>`.")
]
type PersonName = Annotated[str, msgspec.Meta(max_length=100)]
type Identifiers = Annotated[tuple[Identifier, ...], msgspec.Meta(max_length=5000)]


class UserBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A person of Home Assistant."""

    id: Principal
    name: PersonName | None = None


class GrantBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a person may do with the things named; whoever may do anything with a thing may see it."""

    principal: Principal
    relations: Annotated[tuple[Relation, ...], msgspec.Meta(min_length=1, max_length=4)]
    account: bool = False
    """On everything there is, now and later."""
    site_ids: Identifiers = ()
    """On the mowers of these sites, and on the sites themselves."""
    group_ids: Identifiers = ()
    """On the mowers of these groups, and on the groups themselves."""
    mower_ids: Identifiers = ()


class PrincipalsBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole set of one Home Assistant, in place of the one before. All grants together name up to 5000 things."""

    revision: Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1, description="Rises with each set.")]
    owner: Principal
    """To whom the house belongs: one of the users, who may do everything on the account."""
    users: Annotated[tuple[UserBody, ...], msgspec.Meta(max_length=200)]
    grants: Annotated[tuple[GrantBody, ...], msgspec.Meta(max_length=2000)]


class Principals:
    """The handler of `/principals`."""

    def __init__(self, services: Services) -> None:
        """Ask `services`."""
        self._services = services

    def endpoints(self) -> tuple[AnyEndpoint, ...]:
        """Return the route."""
        return (
            Endpoint(
                method="PUT",
                path="/principals/{instance_id}",
                summary="Tell who is there and what each may do; a revision that is not newer changes nothing",
                handler=self._put,
                query=NoQuery,
                body=PrincipalsBody,
                answer=PrincipalsReply,
                raises=(ConflictError,),
            ),
        )

    async def _put(self, call: Call[NoQuery, PrincipalsBody]) -> PrincipalsReply:
        body = call.body
        question = PutPrincipalsRequest(
            **call.asking,
            instance_id=call.ids["instance_id"],
            revision=body.revision,
            owner=body.owner,
            users=msgspec.convert(body.users, tuple[User, ...], from_attributes=True),
            grants=msgspec.convert(body.grants, tuple[Grant, ...], from_attributes=True),
        )
        return await self._services.ask(routes.PRINCIPALS_PUT, question)
