"""The air between emulated mowers and a scanner of another process: peripherals over TCP, one JSON text a line."""
