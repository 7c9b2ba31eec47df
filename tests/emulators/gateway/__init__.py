"""A gateway as the integration sees it: its HTTP API and its event stream, with faults at will.

It needs nothing but aiohttp, so that it runs where Home Assistant does. Its JSON is held against the contracts by
tests/unit/emulators.
"""
