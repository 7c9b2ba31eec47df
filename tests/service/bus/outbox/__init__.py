"""Tests of the outbox against real servers."""
