"""Somebody whom the gateway does not know is introduced once, and what they asked for is asked again."""

import functools
from collections.abc import Callable, Coroutine
from typing import Any, Concatenate, Protocol

from .caller import People
from .errors import RefusedError

UNKNOWN = "unknown_principal"


class Speaking(Protocol):
    """Who asks for people."""

    people: People


def introduced[S: Speaking, **P, T](
    ask: Callable[Concatenate[S, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[S, P], Coroutine[Any, Any, T]]:
    """Ask again when the gateway knows the caller only then."""

    async def asked(self: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return await ask(self, *args, **kwargs)
        except RefusedError as error:
            if error.code != UNKNOWN or not await self.people.introduce():
                raise
        return await ask(self, *args, **kwargs)

    functools.update_wrapper(asked, ask)
    return asked
