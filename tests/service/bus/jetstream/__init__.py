"""Tests of the bus against real servers."""
