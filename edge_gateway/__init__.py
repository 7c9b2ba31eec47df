"""MowDeck edge: the program inside the app that runs robot lawn mowers."""

__version__ = "0.1.0"
