"""The guide for owners of bridges names what there is."""

import re

from scripts.set_up.places import ROOT
from tests.firmware.bridge_files import BOARDS, FACTORY, FOLDER

GUIDE = ROOT / "docs" / "bluetooth-bridge.md"
TEXT = GUIDE.read_text(encoding="utf-8")
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "addon").glob("*.md")])


def test_every_bridge_file_that_a_document_names_exists() -> None:
    named = {
        (document.name, name)
        for document in DOCUMENTS
        for name in re.findall(r"mowdeck-bridge-[\w-]+(?:\.factory)?\.yaml", document.read_text(encoding="utf-8"))
    }
    assert named
    assert [(document, name) for document, name in named if not (FOLDER / name).exists()] == []


def test_the_guide_names_every_board_and_every_factory_file() -> None:
    assert [board for board in BOARDS if f"`mowdeck-bridge-{board}`" not in TEXT] == []
    assert [name for name in FACTORY if name not in TEXT] == []


def test_links_within_the_repository_lead_somewhere() -> None:
    headings = {
        re.sub(r"[^\w\s-]", "", line.lstrip("# ")).strip().lower().replace(" ", "-")
        for line in TEXT.splitlines()
        if line.startswith("#")
    }
    targets = [target for target in re.findall(r"\]\(([^)]+)\)", TEXT) if not target.startswith("https://")]
    assert targets
    for target in targets:
        path, _, heading = target.partition("#")
        assert (GUIDE.parent / path).exists()
        assert path or heading in headings


def test_the_guide_says_how_many_mowers_each_network_carries() -> None:
    for network in ("wifi", "ethernet"):
        common = (FOLDER / "common" / f"{network}.yaml").read_text()
        found = re.search(r'connection_slots: "(\d)"', common)
        assert found is not None
        for board in (board for board, of in BOARDS.items() if of == network):
            (row,) = (
                line for line in TEXT.splitlines() if line.startswith("| ") and f"`mowdeck-bridge-{board}`" in line
            )
            assert f"| {found[1]} |" in row


def test_the_guide_forbids_to_share_a_bridge_with_home_assistant() -> None:
    assert "Do not add it to Home Assistant's ESPHome integration" in TEXT
