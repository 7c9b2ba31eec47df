"""A real Home Assistant, the real gateway, an emulated mower.

The processes are started by `scripts/running/home_assistant.py` and `scripts/running/gateway.py`, as scripts/run does.
"""
