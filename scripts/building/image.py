"""The image of the app: built when its inputs changed, else found."""

import fcntl
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scripts.building.base_image import DOCKERFILE, base_name, provide_stand_in
from scripts.building.buildah import FOLDER, buildah, clear_away, has_image
from scripts.set_up.places import ROOT

NAME = "localhost/mowdeck-app"
_INPUTS = ("addon/Dockerfile", "addon/Dockerfile.dockerignore", "addon/rootfs", "edge_gateway", "requirements")
_CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")


def build(*, stand_in: bool = True) -> str:
    """Build the image and return its name; on the real base when `stand_in` is false. Raises BuildError."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with _alone():
        base = provide_stand_in() if stand_in else base_name()
        name = f"{NAME}:{_digest(base, stand_in=stand_in)}"
        if not has_image(name):
            print("Building the image of the app …", flush=True)
            _build(name, base, stand_in=stand_in)
        buildah("tag", name, f"{NAME}:latest")
        return name


def _build(name: str, base: str, *, stand_in: bool) -> None:
    # The machine's certificates, for a company's proxy: there while it is built, not in what was built.
    trusted = ("--volume", f"{_CERTIFICATES}:{_CERTIFICATES}:ro") if _CERTIFICATES.exists() else ()
    buildah(
        # No layers in between: each would be a copy of everything below it.
        *("build", "--isolation", "chroot", "--format", "docker", "--layers=false"),
        *(("--pull-never",) if stand_in else ()),
        *("--ignorefile", DOCKERFILE.with_name("Dockerfile.dockerignore"), "--build-arg", f"BASE={base}"),
        *trusted,
        *("--file", DOCKERFILE, "--tag", name, ROOT),
    )
    for old in buildah("images", "--format", "{{.Name}}:{{.Tag}}").splitlines():
        if old.startswith(f"{NAME}:") and old not in {name, f"{NAME}:latest"}:
            buildah("rmi", old)
    clear_away()


def _digest(base: str, *, stand_in: bool) -> str:
    """Return what changes when the image would."""
    digest = hashlib.sha256(f"{base} {stand_in}".encode())
    for path in _files():
        digest.update(str(path.relative_to(ROOT)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _files() -> Iterator[Path]:
    for place in (ROOT / name for name in _INPUTS):
        files = [place] if place.is_file() else sorted(place.rglob("*"))
        yield from (path for path in files if path.is_file() and "__pycache__" not in path.parts)


@contextmanager
def _alone() -> Iterator[None]:
    """Let one build of this work tree run at a time."""
    with (FOLDER / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
