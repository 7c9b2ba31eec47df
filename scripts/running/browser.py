"""A headless Chromium that is logged in to a Home Assistant, for screenshots and for tests that look at pages."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from playwright.async_api import Page, async_playwright

from scripts.running.home_assistant import HomeAssistant

_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    # Without these it asks for the internet at every start.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@asynccontextmanager
async def open_page(
    home_assistant: HomeAssistant, path: str, *, chromium: str, width: int = 1280, height: int = 800
) -> AsyncIterator[Page]:
    """Open a page of Home Assistant as the user who is logged in there."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium, args=list(_ARGUMENTS))
        context = await browser.new_context(viewport={"width": width, "height": height}, device_scale_factor=1)
        tokens = home_assistant.browser_tokens()
        await context.add_init_script(f"localStorage.setItem('hassTokens', {tokens!r})")
        page = await context.new_page()
        await page.goto(home_assistant.url + path)
        yield page
        await browser.close()
