"""Emulators of what cannot run in a test: clouds, mowers, bridges, a weather server, the Supervisor."""
