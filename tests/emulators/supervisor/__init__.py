"""Home Assistant's Supervisor, as an app sees it."""
