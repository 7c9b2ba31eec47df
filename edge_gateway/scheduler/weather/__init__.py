"""Where forecasts come from: the port and its adapters."""
