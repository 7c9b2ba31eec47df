"""The folder of Home Assistant's custom integrations."""
