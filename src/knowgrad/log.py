"""A storage, and the ledger of what was read from it: read, decide, append if nobody was faster, else decide again."""

import threading
from collections.abc import Callable, Sequence

from knowgrad.ledger import Ledger
from knowgrad.storage import OutOfDate, Storage
from knowgrad.trial import Event

Decide = Callable[[Ledger], Sequence[Event]]


class Log:
    """Several threads may share it; whoever looks at the ledger for longer than one glance holds the lock."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage
        self.lock = threading.RLock()
        self._ledger = Ledger()

    def read(self) -> Ledger:
        """The ledger, up to date."""
        with self.lock:
            self._ledger.fold(self.storage.read(self._ledger.length))
            return self._ledger

    def commit(self, decide: Decide) -> Ledger:
        """Append what `decide` makes of the latest ledger, and decide again whenever another writer was faster.

        An exception of `decide` leaves the log as it was.
        """
        while True:
            with self.lock:
                ledger = self.read()
                events = decide(ledger)
                if events:
                    try:
                        self.storage.append(events, expected=ledger.length)
                    except OutOfDate:
                        continue
                    ledger.fold(events)
                return ledger
