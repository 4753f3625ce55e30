"""Where events are kept."""

from knowgrad.errors import ArgumentError
from knowgrad.storage.base import OutOfDate, Storage
from knowgrad.storage.memory import Memory
from knowgrad.trial import shown

__all__ = ["Memory", "OutOfDate", "Storage", "open_storage"]


def open_storage(storage: object) -> Storage:
    """The storage meant by the `storage=` of a study."""
    if storage is None:
        return Memory()
    if isinstance(storage, Storage):
        return storage
    raise ArgumentError(
        f"storage: expected None, got {shown(storage)}; this version keeps studies in memory only: leave storage=None"
    )
