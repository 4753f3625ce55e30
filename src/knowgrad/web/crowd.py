"""Who may stay when many come: connections that have not shown the token make room for each other, the oldest first."""

from __future__ import annotations

from collections import OrderedDict
from types import ModuleType
from typing import Protocol

from knowgrad.web.refusal import Refusal

resource: ModuleType | None
try:
    import resource
except ModuleNotFoundError:  # Windows
    resource = None

SILENT = 400  # connections without a whole request so far, of all clients together
KNOWN = 300  # connections that have shown the token
ADMITTED = "knowgrad.admitted"  # in the scope of a request: what to call once its token was right


def room() -> tuple[int, int]:
    """How many silent and known connections this process can afford: each takes one of its open files."""
    if resource is None:
        return SILENT, KNOWN
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    share = SILENT if files == resource.RLIM_INFINITY else files // 3
    return min(SILENT, share), min(KNOWN, share)


class Guest(Protocol):
    """One connection."""

    @property
    def address(self) -> str: ...

    @property
    def idle(self) -> bool:
        """Is no request of its being answered?"""
        ...

    def drop(self) -> None:
        """End it at once."""
        ...


class Crowd:
    """All connections of a server.

    Nobody is refused for being new: a client on the loopback address has the same address as whoever floods it. Of the
    silent ones the oldest goes, and of the addresses the one that has most of them.
    """

    def __init__(self, silent: int = SILENT, known: int = KNOWN) -> None:
        self.silent_limit, self.known_limit = silent, known
        self._silent: dict[str, OrderedDict[Guest, None]] = {}
        self._known: OrderedDict[Guest, None] = OrderedDict()

    @property
    def silent(self) -> int:
        return sum(map(len, self._silent.values()))

    @property
    def known(self) -> int:
        return len(self._known)

    def arrived(self, guest: Guest) -> None:
        """A new connection, silent so far."""
        self._silent.setdefault(guest.address, OrderedDict())[guest] = None
        if self.silent > self.silent_limit:
            most = max(self._silent, key=lambda address: len(self._silent[address]))
            next(iter(self._silent[most])).drop()

    def spoke(self, guest: Guest) -> None:
        """It sent a whole request, which is answered at once if it has no token."""
        queue = self._silent.get(guest.address, OrderedDict())
        queue.pop(guest, None)
        if not queue:
            self._silent.pop(guest.address, None)

    def admitted(self, guest: Guest) -> None:
        """It has shown the token. Where there are too many of these, one that waits for its next request goes."""
        self._known[guest] = None
        self._known.move_to_end(guest)
        if len(self._known) > self.known_limit:
            idle = next((each for each in self._known if each.idle and each is not guest), None)
            if idle is None:
                raise Refusal(503, f"expected at most {self.known_limit} requests at once, got more; try again later")
            idle.drop()

    def left(self, guest: Guest) -> None:
        self.spoke(guest)
        self._known.pop(guest, None)
