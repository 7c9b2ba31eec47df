"""The command line of scripts/build-app."""

import argparse
import sys
import time
from collections.abc import Sequence

from scripts.building import image
from scripts.building.base_image import base_name
from scripts.building.buildah import FOLDER, BuildError


def main(arguments: Sequence[str]) -> int:
    """Carry out scripts/build-app and return its exit code."""
    parser = argparse.ArgumentParser(
        prog="scripts/build-app",
        description="Build the image of the app with buildah, as root. Its base is a stand-in made from Debian's "
        "packages, which carries the real base's name; --pull takes the real one from its registry.",
    )
    parser.add_argument("--pull", action="store_true", help=f"build on {base_name()} itself")
    options = parser.parse_args(arguments)
    began = time.monotonic()
    try:
        name = image.build(stand_in=not options.pull)
    except BuildError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{name} ({time.monotonic() - began:.0f} s), in {FOLDER.relative_to(FOLDER.parents[1])}/storage")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
