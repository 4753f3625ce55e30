"""Is there room for more in a file: on the disk, within a quota, within the size that a file may have?

SQLite has one code for all errors of a disk, so the disk is asked.
"""

import errno
import os
import tempfile
from pathlib import Path

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
MARGIN = 1 << 20  # bytes by which a file may grow in one call


def is_full(path: Path) -> bool:
    """Does the place of this file refuse another megabyte because there is no room?"""
    try:
        with tempfile.TemporaryFile(dir=path.parent, buffering=0) as probe:
            probe.write(bytes(MARGIN))
            os.fsync(probe.fileno())
    except OSError as error:
        return error.errno in NO_ROOM
    return _size(path) + MARGIN > _largest()


def _size(path: Path) -> int:
    """Of the file or its log, whichever is larger."""
    return max((each.stat().st_size for each in path.parent.glob(f"{path.name}*") if each.is_file()), default=0)


def _largest() -> float:
    """The size that this process may give to a file."""
    try:
        import resource
    except ImportError:
        return float("inf")
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)[0]
    return float("inf") if limit == resource.RLIM_INFINITY else limit
