"""Is a file on a network? SQLite's locks do not work on every network file system."""

import os
import re
from functools import lru_cache
from pathlib import Path

NETWORK = re.compile(
    r"nfs\d?|cifs|smb\w*|afs|ncpfs|lustre|gpfs|beegfs\w*|ceph|glusterfs|ocfs2|gfs2?|pvfs2|orangefs"
    r"|fuse\.(?:sshfs|glusterfs|ceph|s3fs|gcsfuse|rclone|juicefs|cephfs|dfs|hdfs|curlftpfs|davfs2?)"
)
MOUNTS = Path("/proc/self/mountinfo")


def network_type(path: Path, mounts: Path = MOUNTS) -> str | None:
    """The type of the network file system that a path is on; None if it is on none, or if nobody can tell."""
    try:
        content = mounts.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return None  # not Linux
    kind = _types(content).get(_mount_point(path, _types(content)), "")
    return kind if NETWORK.fullmatch(kind) else None


@lru_cache(maxsize=4)
def _types(content: str) -> dict[str, str]:
    """By mount point; the last mount on a point hides those before."""
    found = {}
    for line in content.splitlines():
        before, _, after = line.partition(" - ")
        found[_plain(before.split(" ")[4])] = after.split(" ")[0]
    return found


def _plain(field: str) -> str:
    """Blanks and backslashes are written as octal numbers."""
    return re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), field)


def _mount_point(path: Path, points: dict[str, str]) -> str:
    where = Path(os.path.realpath(path))
    return next((str(each) for each in (where, *where.parents) if str(each) in points), "")
