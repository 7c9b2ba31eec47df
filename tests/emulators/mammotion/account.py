"""A user's account in the emulated cloud: its password and the one session that is good at a time."""

import secrets
import time
from dataclasses import dataclass, field

import jwt


@dataclass(kw_only=True)
class EmulatedAccount:
    """An account. A login makes a new session and ends the one before; a refresh turns both tokens over."""

    username: str = "gardener@example.com"
    password: str = "correct horse battery staple"  # noqa: S105  # of an emulated account
    user_id: int = 4711
    token_seconds: int = 86_400
    access_token: str | None = None
    refresh_token: str | None = None
    password_logins: int = 0
    refreshes: int = 0
    _key: str = field(default_factory=lambda: secrets.token_hex(32), repr=False)

    def log_in(self, username: str, password: str, url: str) -> bool:
        """Start a new session; tell whether username and password were right."""
        self.password_logins += 1
        if (username, password) != (self.username, self.password):
            return False
        self._turn_over(url)
        return True

    def refresh(self, refresh_token: str, url: str) -> bool:
        """Turn the tokens over; tell whether the refresh token was the valid one."""
        self.refreshes += 1
        if self.refresh_token is None or refresh_token != self.refresh_token:
            return False
        self._turn_over(url)
        return True

    def admits(self, authorization: str | None) -> bool:
        """Tell whether a request's header carries the valid access token."""
        return self.access_token is not None and authorization == f"Bearer {self.access_token}"

    def end_session(self) -> None:
        """End the session: both tokens are worth nothing from now on."""
        self.access_token = None
        self.refresh_token = None

    def login_data(self) -> dict[str, object]:
        """Return the answer to a login or refresh."""
        return {
            "access_token": self.access_token,
            "token_type": "bearer",
            "refresh_token": self.refresh_token,
            "expires_in": self.token_seconds,
            "authorization_code": "",
            "userInformation": {
                "areaCode": "49",
                "domainAbbreviation": "DE",
                "userId": str(self.user_id),
                "userAccount": str(self.user_id),
                "authType": "0",
            },
        }

    def broker_token(self, client_id: str) -> str:
        """Return the password for the broker."""
        claims = {"exp": int(time.time()) + self.token_seconds, "clientId": client_id, "username": str(self.user_id)}
        return jwt.encode(claims, self._key)

    def _turn_over(self, url: str) -> None:
        claims = {
            "iot": url,
            "robot": url,
            "exp": int(time.time()) + self.token_seconds,
            "jti": secrets.token_hex(8),
        }
        self.access_token = jwt.encode(claims, self._key)
        self.refresh_token = secrets.token_hex(16)
