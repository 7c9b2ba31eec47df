"""The program as an app of Home Assistant's Supervisor: its options, its account, and how it is found."""
