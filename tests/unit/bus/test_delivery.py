"""The numbers in a delivery's reply subject."""

import pytest

from edge_gateway.bus.jetstream.delivery import Delivered, is_delivery, read_delivery


def test_reply_subject_without_a_domain() -> None:
    reply = "$JS.ACK.TELEMETRY.ingest.2.1042.77.1796075022202287312.5"
    assert is_delivery(reply)
    assert read_delivery(reply) == Delivered(2, 1042, 77, 5)


@pytest.mark.parametrize("rest", ["", ".token"])
def test_reply_subject_with_a_domain(rest: str) -> None:
    reply = f"$JS.ACK.hub.ACCOUNT.TELEMETRY.ingest.1.1042.77.1796075022202287312.5{rest}"
    assert read_delivery(reply) == Delivered(1, 1042, 77, 5)


def test_status_is_no_delivery() -> None:
    assert not is_delivery("")
    assert not is_delivery("_INBOX.abc.1")


@pytest.mark.parametrize("reply", ["$JS.ACK.TELEMETRY", "$JS.ACK.a.b.c.d.e.f.g", ""])
def test_anything_else_is_refused(reply: str) -> None:
    with pytest.raises(ValueError, match="not the reply subject of a delivery"):
        read_delivery(reply)
