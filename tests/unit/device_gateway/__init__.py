"""The device gateway's pure rules and small parts, without a server."""
