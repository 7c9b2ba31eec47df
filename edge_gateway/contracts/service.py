"""What every service is to the program that runs it."""

from typing import Protocol


class Service(Protocol):
    """One service: started after its migrations ran, stopped before its bus and pool are closed."""

    name: str
    """One of fleet, scheduler, telemetry, notifications, device_gateway, api."""

    async def start(self) -> None:
        """Subscribe, start the loops; returns when it is ready to work."""
        ...

    async def stop(self) -> None:
        """Stop fetching, finish and settle what is in hand, end the loops."""
        ...
