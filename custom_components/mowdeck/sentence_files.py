"""Writes the sentences for voice where Home Assistant looks for them, and takes them away again.

Each file begins with a line that names a digest of the rest: a file that somebody edited is left alone.
"""

import hashlib
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).parent / "sentences"
FILE_NAME = "mowdeck.yaml"

VARIANTS = {"en": ("en",), "de": ("de", "de-CH")}
"""The folders of each language: Home Assistant reads one per variant, and never that of the language besides."""

VERSION = 1
HEADER = "# MowDeck's sentences, version {version}, digest {digest}. An edited file is left alone.\n"


@dataclass(frozen=True, kw_only=True)
class Changed:
    """What became of the files, by their paths."""

    done: tuple[str, ...]
    """Written or removed."""
    kept: tuple[str, ...]
    """Edited by somebody, and left alone."""


def install(folder: Path) -> Changed:
    """Write the files below `custom_sentences`, in place of older ones of ours."""
    done, kept = [], []
    for path, content in _files(folder):
        if path.exists() and not _is_ours(path):
            kept.append(str(path))
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
        done.append(str(path))
    return Changed(done=tuple(done), kept=tuple(kept))


def remove(folder: Path) -> Changed:
    """Remove the files that are ours."""
    done, kept = [], []
    for path, _content in _files(folder):
        if not path.exists():
            continue
        if _is_ours(path):
            path.unlink()
            done.append(str(path))
        else:
            kept.append(str(path))
    return Changed(done=tuple(done), kept=tuple(kept))


def _files(folder: Path) -> list[tuple[Path, str]]:
    """Return where each file belongs and what is in it."""
    files = []
    for language, variants in VARIANTS.items():
        sentences = (SOURCE / f"{language}.yaml").read_text(encoding="utf-8")
        for variant in variants:
            body = sentences.replace(f"language: {language}\n", f"language: {variant}\n", 1)
            files.append((folder / variant / FILE_NAME, _header_of(body) + body))
    return files


def _is_ours(path: Path) -> bool:
    """Tell whether a file is as some version of this integration wrote it."""
    header, _, body = path.read_text(encoding="utf-8").partition("\n")
    return f"digest {_digest(body)}." in header


def _header_of(body: str) -> str:
    return HEADER.format(version=VERSION, digest=_digest(body))


def _digest(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()[:16]
