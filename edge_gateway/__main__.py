"""`python -m edge_gateway` is `mowdeck-edge`."""

import sys

from edge_gateway.cli import main

if __name__ == "__main__":
    sys.exit(main())
