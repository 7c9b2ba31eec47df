"""The device gateway on a real database, on both buses, with mowers that can be watched and broken."""
