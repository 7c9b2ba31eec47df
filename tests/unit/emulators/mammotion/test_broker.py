"""The emulated broker where amqtt's is not like others."""

from amqtt.session import Session  # type: ignore[import-untyped]  # it has no types

from tests.emulators.mammotion.broker import CONFIGURATION, SessionBroker

TOPIC = "/sys/key/mower/app/down/thing/status"


def session() -> Session:
    connected = Session()
    connected.client_id = "client-1"
    return connected


async def test_the_end_of_an_old_connection_leaves_the_new_one_its_subscriptions() -> None:
    broker, old, new = SessionBroker(CONFIGURATION), session(), session()
    for connected in (old, new):
        assert await broker.add_subscription((TOPIC, 0), connected) == 0
    await broker._del_all_subscriptions(old)  # noqa: SLF001  # what its watch over old sessions does
    assert broker.subscriptions == {TOPIC: [(new, 0)]}
    await broker._del_all_subscriptions(new)  # noqa: SLF001  # the same
    assert broker.subscriptions == {}
