"""Fixtures for every run of the tests."""

import importlib.util

pytest_plugins = ["tests.reporting.needs"]
# Another environment, and settings of its own.
collect_ignore = ["home_assistant"]

# The environments of Home Assistant's tests hold Home Assistant and no server of ours.
if importlib.util.find_spec("asyncpg"):
    from tests.servers import databases, nats_server, nats_url, postgres_server, postgres_url, server_loop

    __all__ = ["databases", "nats_server", "nats_url", "postgres_server", "postgres_url", "server_loop"]

# How long an example takes says something of the machine, not of the code: a loaded one must not fail a rule.
if importlib.util.find_spec("hypothesis"):
    from hypothesis import settings

    settings.register_profile("untimed", deadline=None)
    settings.load_profile("untimed")

# Drawing a traceback with all its variables takes a second on a loaded machine, in the loop that the test measures.
if importlib.util.find_spec("structlog"):
    import structlog

    structlog.configure(
        processors=[
            *structlog.get_config()["processors"][:-1],
            structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback),
        ]
    )
