"""nats-py's client with three corrections for a connection that breaks."""

from typing import override

from nats.aio.client import Client, Srv


class ReconnectingClient(Client):
    """A client of one NATS server or cluster; all three corrections are tested against nats-py 2.16."""

    def discard_unsent(self) -> None:
        """Discard what a client that lost its connection would send after the next one is made.

        Whoever sent it was told, or will be, that it did not arrive: an order would be published after all, or be
        acknowledged although nobody acts upon it. Subscriptions are replayed from another list.
        """
        self._pending = []
        self._pending_data_size = 0

    @override
    async def _close(self, status: int, do_cbs: bool = True) -> None:
        """Close to the end when the connection turns out to be broken; nats-py raises that, and stops half-way."""
        try:
            await super()._close(status, do_cbs)
        except OSError:
            # Nothing can be sent any more; the rest of closing follows, which it skips for a client that is closed.
            self.discard_unsent()
            self._status = Client.DISCONNECTED
            await super()._close(status, do_cbs)

    @override
    async def _connect_to_server(self, s: Srv) -> None:
        """Close a connection that broke while it was being set up; nats-py only forgets it."""
        if self._transport is not None:
            self._transport.close()  # type: ignore[no-untyped-call]  # nats-py leaves it untyped
        await super()._connect_to_server(s)
