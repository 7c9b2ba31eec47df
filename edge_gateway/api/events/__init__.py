"""The WebSocket: a snapshot, then every change once and in order."""
