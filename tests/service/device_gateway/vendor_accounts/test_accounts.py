"""Logins at vendors: made, listed, renewed, forgotten, and never readable."""

import pytest

from edge_gateway.bus.memory import MemoryBus, MemoryServer
from edge_gateway.contracts import subjects
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.contracts.envelope import Envelope
from edge_gateway.contracts.errors import (
    ConflictError,
    ForbiddenError,
    InvalidError,
    NotFoundError,
    UnavailableError,
)
from edge_gateway.contracts.fleet import VendorAccountChanged
from edge_gateway.database.pools import Pool
from edge_gateway.database.secrets import SecretBox, new_key
from edge_gateway.device_gateway.vendor_accounts import accounts, holder
from edge_gateway.device_gateway.vendor_accounts.vendor import AccountStatus
from tests.eventually import eventually
from tests.service.device_gateway.vendor_accounts.office import GUEST, STRANGER, Office, ScriptedVendor


async def rows(pool: Pool) -> list[str]:
    """Return every row of the logins as the database shows it."""
    return [str(tuple(row)) for row in await pool.fetch("SELECT * FROM device_gateway.vendor_account")]


async def test_a_login_is_made_before_it_is_kept_and_runs(office: Office, vendor: ScriptedVendor) -> None:
    account = await office.create()
    assert vendor.logins == [("anna@example.com", "right")]
    assert (account.provider, account.username, account.status) == ("scripted", "anna@example.com", "connected")
    await office.host.until(lambda: len(office.host.running) == 1)
    running = vendor.providers[-1]
    assert running.secrets is not None
    assert (running.secrets.password, running.secrets.tokens) == ("right", "tokens-1")
    assert vendor.logins == [("anna@example.com", "right")], "it runs on the tokens of the one login"
    assert vendor.providers[0].stopped
    assert [listed.id for listed in await office.list()] == [account.id]


async def test_a_refused_login_is_told_with_its_field_and_nothing_is_kept(office: Office, pool: Pool) -> None:
    with pytest.raises(InvalidError) as caught:
        await office.create(password="wrong")  # noqa: S106  # invented here
    assert (caught.value.code, caught.value.field) == ("login_refused", "password")
    assert await rows(pool) == []
    assert office.host.running == []


async def test_an_unreachable_vendor_is_no_wrong_password(office: Office, vendor: ScriptedVendor, pool: Pool) -> None:
    vendor.away = True
    with pytest.raises(UnavailableError) as caught:
        await office.create()
    assert caught.value.code == "vendor_unreachable"
    assert await rows(pool) == []


async def test_a_vendor_that_hangs_is_given_up(
    office: Office, vendor: ScriptedVendor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accounts, "LOGIN_SECONDS", 0.1)
    vendor.hangs = True
    with pytest.raises(UnavailableError):
        await office.create()
    assert vendor.providers[0].stopped


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"provider": "other"}, "provider"),
        ({"username": "  "}, "username"),
        ({"username": "a" * 255}, "username"),
        ({"password": ""}, "password"),
    ],
)
async def test_what_is_wrong_is_named_before_anybody_is_asked(
    office: Office, vendor: ScriptedVendor, change: dict[str, str], field: str
) -> None:
    with pytest.raises(InvalidError) as caught:
        await office.create(**change)
    assert caught.value.field == field
    assert vendor.logins == []


async def test_the_same_login_twice_is_a_conflict_in_whatever_case(office: Office, vendor: ScriptedVendor) -> None:
    await office.create()
    with pytest.raises(ConflictError) as caught:
        await office.create(username=" Anna@Example.com ")
    assert caught.value.code == "vendor_account_exists"
    assert len(vendor.logins) == 1


@pytest.mark.parametrize("who", [GUEST, STRANGER])
async def test_only_who_may_manage_mowers_comes_near(office: Office, vendor: ScriptedVendor, who: str) -> None:
    account = await office.create()
    for ask in (
        lambda: office.list(who=who),
        lambda: office.create("eve@example.com", who=who),
        lambda: office.update(account.id, "right", who=who),
        lambda: office.delete(account.id, who=who),
    ):
        with pytest.raises(ForbiddenError):
            await ask()
    assert len(vendor.logins) == 1


async def test_no_secret_can_be_read_in_the_database(office: Office, pool: Pool) -> None:
    await office.create()
    (row,) = await rows(pool)
    assert "right" not in row
    assert "tokens-1" not in row
    assert "anna@example.com" in row


async def test_a_new_password_logs_in_and_runs_anew(office: Office, vendor: ScriptedVendor) -> None:
    account = await office.create()
    await office.host.until(lambda: len(office.host.running) == 1)
    vendor.right = "changed"
    with pytest.raises(InvalidError):
        await office.update(account.id, "wrong")
    assert office.host.ended == [], "the running login is left alone"
    updated = await office.update(account.id, "changed")
    assert updated.id == account.id
    await office.host.until(lambda: office.host.ended == ["gateway_stopped"] and len(office.host.running) == 1)
    running = vendor.providers[-1]
    assert running.secrets is not None
    assert (running.secrets.password, running.secrets.tokens) == ("changed", "tokens-3")


async def test_whatever_becomes_of_a_login_is_told(office: Office, vendor: ScriptedVendor) -> None:
    told: list[VendorAccountChanged] = []

    async def hear(envelope: Envelope) -> None:
        told.append(envelope.decode(VendorAccountChanged))
        office.host.news.set()

    await office.bus.subscribe(subjects.VENDOR_ACCOUNT_CHANGED, hear, acknowledge=False)
    account = await office.create()
    changed = VendorAccountChanged(vendor_account_id=account.id)
    await office.host.until(lambda: told == [changed] * 3)  # made, starting, connected
    assert len(office.host.running) == 1
    for _ in range(2):
        await vendor.providers[-1].keeper.status_changed(AccountStatus.REJECTED, "The vendor refuses the login.")
    await office.host.until(lambda: len(told) == 4)
    await office.delete(account.id)
    await office.host.until(lambda: told[-1].removed)
    assert told == [changed] * 4 + [VendorAccountChanged(vendor_account_id=account.id, removed=True)]


async def test_a_login_is_forgotten_and_ended_at_the_vendor(office: Office, vendor: ScriptedVendor, pool: Pool) -> None:
    account = await office.create()
    await office.host.until(lambda: len(office.host.running) == 1)
    await office.delete(account.id)
    assert await rows(pool) == []
    assert office.host.running == []
    assert vendor.log_outs == 1
    assert office.host.released == [(account.id, "account_removed")]
    with pytest.raises(NotFoundError):
        await office.delete(account.id)
    with pytest.raises(NotFoundError):
        await office.update(account.id, "right")


async def test_the_next_process_goes_on_with_what_was_kept(
    office: Office, vendor: ScriptedVendor, server: MemoryServer, clock: SystemClock, pool: Pool, box: SecretBox
) -> None:
    await office.create()
    await office.host.until(lambda: len(office.host.running) == 1)
    await vendor.providers[-1].keeper.save_tokens("turned over")
    await vendor.providers[-1].keeper.save("M1", b"a map")
    await office.room.stop()
    bus = MemoryBus(clock, server=server)
    again = Office(bus, pool, box, vendor)
    await again.room.start()
    await again.host.until(lambda: len(again.host.running) == 1)
    running = vendor.providers[-1]
    assert running.secrets is not None
    assert running.secrets.tokens == "turned over"
    assert await running.keeper.load("M1") == b"a map"
    assert len(vendor.logins) == 1
    await again.room.stop()
    await bus.close()


async def test_a_rejected_login_stays_rejected_until_the_owner_logs_in(
    office: Office, vendor: ScriptedVendor, server: MemoryServer, clock: SystemClock, pool: Pool, box: SecretBox
) -> None:
    account = await office.create()
    await office.host.until(lambda: len(office.host.running) == 1)
    await vendor.providers[-1].keeper.status_changed(AccountStatus.REJECTED, "Log in again.")
    (listed,) = await office.list()
    assert (listed.status, listed.detail) == ("rejected", "Log in again.")
    await office.room.stop()
    bus = MemoryBus(clock, server=server)
    again = Office(bus, pool, box, vendor)
    await again.room.start()
    await again.host.until(lambda: len(again.host.running) == 1)
    assert vendor.providers[-1].rejected
    await again.update(account.id, "right")
    await again.host.until(lambda: not vendor.providers[-1].rejected and len(again.host.running) == 1)
    (listed,) = await again.list()
    assert (listed.status, listed.detail) == ("connected", None)
    await again.room.stop()
    await bus.close()


async def test_with_another_key_the_login_is_told_unreadable_and_nothing_is_asked(
    office: Office, vendor: ScriptedVendor, server: MemoryServer, clock: SystemClock, pool: Pool
) -> None:
    await office.create()
    await office.host.until(lambda: len(office.host.running) == 1)
    await office.room.stop()
    bus = MemoryBus(clock, server=server)
    again = Office(bus, pool, SecretBox(new_key()), vendor)
    await again.room.start()

    async def rejected() -> bool:
        (listed,) = await again.list()
        return listed.status == "rejected" and listed.detail is not None

    await eventually(rejected)
    assert again.host.running == []
    assert len(vendor.logins) == 1
    await again.room.stop()
    await bus.close()


async def test_two_gateways_run_a_login_once_and_hand_it_over(
    office: Office,
    vendor: ScriptedVendor,
    server: MemoryServer,
    clock: SystemClock,
    pool: Pool,
    box: SecretBox,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(holder, "LOOK_SECONDS", 0.05)
    await office.create()
    await office.host.until(lambda: len(office.host.running) == 1)
    older = vendor.providers[-1].keeper
    bus = MemoryBus(clock, server=server)
    other = Office(bus, pool, box, vendor, instance_id="two")
    await other.room.start()
    await office.room.stop()
    await other.host.until(lambda: len(other.host.running) == 1)
    await vendor.providers[-1].keeper.save_tokens("of the new holder")
    await older.save_tokens("of the old holder")
    stored = await other.room._repository.secrets((await other.list())[0].id)  # noqa: SLF001  # what is kept now
    assert stored is not None
    assert stored.tokens == "of the new holder"
    await other.room.stop()
    await bus.close()
