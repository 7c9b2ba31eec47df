"""The API: HTTP and WebSocket over the bus; it asks services and owns nothing."""
