"""The device gateway: one actor per mower, providers for vendors, orders with an expiry."""
