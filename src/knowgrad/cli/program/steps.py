"""What a program prints as it goes: a line of JSON for each step, {"at": 3, "value": 0.5}."""

import json
import os
from collections.abc import Iterator
from typing import IO, Any


class Lines:
    """The lines of an output that is still written, each once, as soon as it is whole."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._descriptor, self._read, self._rest = stream.fileno(), 0, b""

    def steps(self) -> Iterator[dict[str, Any]]:
        """Those that are new and are steps; the program's own place in the file is left as it is."""
        more = os.pread(self._descriptor, os.fstat(self._descriptor).st_size - self._read, self._read)
        self._read += len(more)
        *lines, self._rest = (self._rest + more).split(b"\n")
        for line in lines:
            if (step := _step(line)) is not None:
                yield step


def _step(line: bytes) -> dict[str, Any] | None:
    if not line.strip().startswith(b"{"):
        return None
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and {"at", "value"} <= found.keys() else None
