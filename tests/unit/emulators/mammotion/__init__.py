"""Tests of the emulated Mammotion mower."""
