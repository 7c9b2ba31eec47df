"""The Supervisor is told until it has heard, and again when the token is another."""

import pytest

from edge_gateway.supervisor.discovery import Discovery
from edge_gateway.supervisor.settings import SupervisorSettings
from tests.emulators.supervisor.supervisor import FakeSupervisor
from tests.eventually import eventually

TOKEN = "token-of-the-app"  # noqa: S105 - opens the emulator


async def tell(supervisor: FakeSupervisor, *, token: str) -> None:
    settings = SupervisorSettings(url=f"http://127.0.0.1:{supervisor.port}", host="local-mowdeck", retry_seconds=0.01)
    discovery = Discovery(settings, port=lambda: 8765, token=token)
    await discovery.start()
    await discovery.heard.wait()
    await discovery.stop()


async def test_what_is_new_is_passed_on_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUPERVISOR_TOKEN", TOKEN)
    supervisor = FakeSupervisor(token=TOKEN, services=("mowdeck",), refusals=3)
    await supervisor.start("127.0.0.1", 0)
    try:
        await tell(supervisor, token="first")  # noqa: S106 - of the test
        assert supervisor.asked == 4
        await tell(supervisor, token="first")  # noqa: S106 - of the test
        await tell(supervisor, token="second")  # noqa: S106 - of the test
    finally:
        await supervisor.stop()
    assert supervisor.passed_on == [
        {"host": "local-mowdeck", "port": 8765, "auth_token": token} for token in ("first", "second")
    ]


async def test_no_secret_is_logged_when_it_refuses(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SUPERVISOR_TOKEN", "another")
    supervisor = FakeSupervisor(token=TOKEN, services=("mowdeck",))
    await supervisor.start("127.0.0.1", 0)
    settings = SupervisorSettings(url=f"http://127.0.0.1:{supervisor.port}", retry_seconds=0.01)
    discovery = Discovery(settings, port=lambda: 8765, token="a-secret")  # noqa: S106 - of the test
    await discovery.start()

    async def asked() -> bool:
        return supervisor.asked >= 3

    await eventually(asked)
    await discovery.stop()
    await supervisor.stop()
    assert not supervisor.passed_on
    said = "".join(capsys.readouterr())
    assert "401" in said
    assert "a-secret" not in said
    assert "another" not in said
