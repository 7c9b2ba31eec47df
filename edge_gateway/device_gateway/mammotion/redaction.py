"""Keeps secrets out of the library's log: it puts passwords and tokens into addresses, and those into tracebacks."""

import logging
import re
import traceback
from typing import override

_SECRETS = re.compile(
    r"""(?ix)
    (?P<name> (?:user_?name | password | passwd | access_?token | refresh_?token | iot_?token | authorization
              | device_?secret | jwt | auth_?code | authorization_code)
        ["']? \s* [=:] \s* (?:bearer\s+)? ["']? )
    (?P<value> [^\s"'&,;)}\]]+ )
    """
)
_TOKENS = re.compile(r"eyJ[\w-]{8,}\.[\w-]+\.[\w-]*")
"""Signed tokens, wherever they stand."""
_HIDDEN = "<hidden>"


def redact(text: str) -> str:
    """Return a text without the values of what must not be read."""
    return _TOKENS.sub(_HIDDEN, _SECRETS.sub(rf"\g<name>{_HIDDEN}", text))


class RedactionFilter(logging.Filter):
    """Rewrites records before any handler sees them."""

    @override
    def filter(self, record: logging.LogRecord) -> bool:
        record.msg = redact(record.getMessage())
        record.args = None
        if record.exc_info and record.exc_info[0] is not None:
            record.exc_text = redact("".join(traceback.format_exception(*record.exc_info)).rstrip())
            record.exc_info = None
        return True


def install_redaction(package: str) -> None:
    """Filter every logger of a package that is there now; a filter of a parent would not see them."""
    redaction = RedactionFilter()
    names = [name for name in logging.root.manager.loggerDict if name == package or name.startswith(f"{package}.")]
    for name in (package, *names):
        logging.getLogger(name).addFilter(redaction)
