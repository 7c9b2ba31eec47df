"""Names that several modules share."""

import logging
from typing import Final

DOMAIN: Final = "mowdeck"
LOGGER = logging.getLogger(__package__)

DEFAULT_PORT: Final = 8765

MANUFACTURER: Final = "MowDeck"
