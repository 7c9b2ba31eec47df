"""The gateway's API as typed Python: models, requests and the event stream.

Knows aiohttp and nothing of Home Assistant, so that it could live in a package of its own.
"""
