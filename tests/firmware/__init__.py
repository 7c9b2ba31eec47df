"""The firmware of bridges: what ESPHome makes of each file, and what a program that it builds says to the gateway."""
