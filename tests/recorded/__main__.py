"""Record anew: `python -m tests.recorded`, with a path to write to another file."""

import sys
from pathlib import Path

from tests.recorded.record import RECORD, write

write(Path(sys.argv[1]) if len(sys.argv) > 1 else RECORD)
