"""A file of pins tells when it no longer belongs to what is asked for."""

from scripts.linting.pins import PIN_FILES, is_current, with_header, without_header

PIN_FILE = PIN_FILES[0]


def test_committed_files_are_current() -> None:
    assert [pin_file.name for pin_file in PIN_FILES if not is_current(pin_file)] == []


def test_header_belongs_to_the_pins() -> None:
    text = with_header(PIN_FILE, "a==1\nb==2\n")
    assert without_header(text) == "a==1\nb==2\n"
    assert with_header(PIN_FILE, without_header(text)) == text
    edited = text.replace("b==2", "b==3")
    assert with_header(PIN_FILE, without_header(edited)) != edited
