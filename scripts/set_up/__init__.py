"""Makes the environments that MowDeck is built, checked and tested in.

Runs on whatever `python3` the machine has, before any environment exists: the standard library only, Python 3.9 syntax,
which is why these modules alone use `from __future__ import annotations`.
"""
