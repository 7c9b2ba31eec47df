"""Tests of the Fleet's rules."""
