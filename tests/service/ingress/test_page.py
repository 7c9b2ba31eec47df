"""The page of a real gateway: in a browser, and for nobody else."""

import asyncio
import os
from pathlib import Path
from typing import Literal

import aiohttp
import msgspec
import pytest
from playwright.async_api import Page, ViewportSize, async_playwright

from edge_gateway.ingress import language
from edge_gateway.ingress.page import render
from tests.eventually import eventually
from tests.reporting.needs import find_chromium
from tests.service.app.conftest import MakeProgram
from tests.service.app.program import Program
from tests.service.backup.busy_garden import make_plan, request
from tests.unit.ingress.crowded import EMPTY, crowd

PHONE, DESK = ViewportSize(width=390, height=844), ViewportSize(width=1280, height=900)
LOOKS: tuple[tuple[ViewportSize, Literal["light", "dark"], str], ...] = (
    (PHONE, "light", "en-GB"),
    (PHONE, "dark", "de-DE"),
    (DESK, "light", "de-DE"),
    (DESK, "dark", "en-GB"),
)
PARTS = {
    "en-GB": ("Health", "Mowers", "Accounts", "Last runs", "Mornings", "Weather", "Backup", "Log"),
    "de-DE": ("Zustand", "Mäher", "Konten", "Letzte Läufe", "Mornings", "Wetter", "Sicherung", "Protokoll"),
}
FINDINGS = sorted(language.read("de").findings)
PICTURES = os.environ.get("MOWDECK_TEST_PICTURES")
"""A folder that keeps what the browser showed, for a person to look at."""


def page_url(program: Program) -> str:
    port = next(event["port"] for event in program.events if event["event"] == "page listens")
    return f"http://127.0.0.1:{port}"


def listen_for_troubles(page: Page, troubles: list[str]) -> None:
    """Gather what the browser complains of."""
    page.on("console", lambda message: troubles.append(message.text))
    page.on("pageerror", lambda error: troubles.append(str(error)))


async def fits(page: Page) -> bool:
    """Tell whether nothing sticks out at the side."""
    return bool(await page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))


async def keep_picture(page: Page, name: str) -> None:
    if PICTURES:
        await page.screenshot(path=Path(PICTURES) / f"{name}.png", full_page=True)


@pytest.mark.needs_chromium
@pytest.mark.timeout(120)
async def test_the_page_on_a_phone_and_on_a_desk_by_day_and_by_night(make_program: MakeProgram) -> None:
    program = make_program(
        variables={
            "MOWDECK_SIM_MOWERS": "2",
            "MOWDECK_INGRESS_PORT": "0",
            "MOWDECK_INGRESS_ALLOWED": '["127.0.0.1"]',
            "MOWDECK_SCHEDULER_WEATHER_PROVIDER": "static",
        }
    )
    await program.run_until_ready()
    await make_plan(program)
    schedules = (await request(program, "GET", "schedules"))["items"]
    assert isinstance(schedules, list)
    await request(program, "POST", f"schedules/{schedules[0]['id']}/run-now", {})
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        grounds = set()
        for size, scheme, locale in LOOKS:
            page = await browser.new_page(viewport=size, color_scheme=scheme, locale=locale)
            troubles: list[str] = []
            listen_for_troubles(page, troubles)
            await page.goto(page_url(program))
            assert await fits(page)
            words = await page.inner_text("main")
            for part in PARTS[locale]:
                assert part in words
            grounds.add(await page.evaluate("getComputedStyle(document.body).backgroundColor"))
            await keep_picture(page, f"page-{size['width']}-{scheme}-{locale}")
            await page.close()
            # The longest words of all, on the smallest of phones too.
            for width in (size["width"], 320) if locale == "de-DE" else ():
                crowded = await browser.new_page(viewport={"width": width, "height": 700}, color_scheme=scheme)
                known = msgspec.structs.replace(EMPTY, **crowd(FINDINGS))
                await crowded.set_content(render(known, locale[:2]))
                assert await fits(crowded), width
                await keep_picture(crowded, f"crowd-{width}-{scheme}-{locale}")
                await crowded.close()
            assert troubles == []
        assert len(grounds) == 2, "dark is another ground than light"
        async with aiohttp.ClientSession() as session, session.get(f"{page_url(program)}/plans.json") as answer:
            assert [plan["name"] for plan in (await answer.json())["schedules"]] == ["Mornings"]
        await browser.close()
    assert await program.stop() == 0


@pytest.mark.timeout(90)
async def test_strangers_get_nothing_and_the_health_is_told_to_the_machine(make_program: MakeProgram) -> None:
    program = make_program(variables={"MOWDECK_INGRESS_PORT": "0"})
    await program.start()

    async def listens() -> bool:
        return any(event["event"] == "page listens" for event in program.events)

    await eventually(listens, seconds=30)
    # Whatever it says of itself: who connects is what counts.
    said = {"X-Forwarded-For": "172.30.32.2", "X-Real-IP": "172.30.32.2", "X-Ingress-Path": "/api/hassio_ingress/x"}
    async with aiohttp.ClientSession(headers=said) as session:
        # From the first moment, while the servers still start.
        async with session.get(f"{page_url(program)}/healthz") as answer:
            assert answer.status == 200
        for path in ("/", "/plans.json", "/nothing"):
            async with session.get(page_url(program) + path) as answer:
                assert answer.status == 403
                assert "Memory" not in await answer.text()
        await program.ready()
        async with session.get(f"{page_url(program)}/healthz") as answer:
            assert (answer.status, await answer.text()) == (200, "alive\n")
    async with asyncio.timeout(20):
        assert await program.stop() == 0
