"""Fixtures for every run of the tests."""

import importlib.util

pytest_plugins = ["tests.reporting.needs"]
# Another environment, and settings of its own.
collect_ignore = ["home_assistant"]

# The environments of Home Assistant's tests hold Home Assistant and no server of ours.
if importlib.util.find_spec("asyncpg"):
    from tests.servers import nats_server, nats_url, postgres_server, postgres_url, server_loop

    __all__ = ["nats_server", "nats_url", "postgres_server", "postgres_url", "server_loop"]
