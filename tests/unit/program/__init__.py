"""Tests of the modules at the top of edge_gateway: instance, settings, logs, composition, the command."""
