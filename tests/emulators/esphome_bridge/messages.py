"""The messages of the native API: the library generates them without types."""

import importlib
from typing import Any

api: Any = importlib.import_module("aioesphomeapi.api_pb2")
