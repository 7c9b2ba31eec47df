"""Programs on data folders of the test's own."""

from tests.service.app.conftest import folder, make_program

__all__ = ["folder", "make_program"]
