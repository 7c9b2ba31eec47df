"""What crosses the bus and the API: frozen structs, enums, subjects. Pure: no I/O, nothing of ours is imported."""
