"""A storage, and the ledger of what was read from it: read, decide, append if nobody was faster, else decide again."""

import random
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from knowgrad.ledger import Ledger
from knowgrad.storage import OutOfDate, Storage
from knowgrad.trial import Event

SHORTEST, LONGEST = 0.002, 0.5  # seconds to wait at most when another writer was faster, the first time and at last

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
        pause = SHORTEST
        while True:
            with self.lock, suppress(OutOfDate):
                ledger = self.read()
                events = decide(ledger)
                if events:
                    self.storage.append(events, expected=ledger.length)
                    ledger.fold(events)
                return ledger
            # In a crowd, all but one were too late: were all to try again at once, so it would be the next time.
            time.sleep(random.uniform(0.0, pause))
            pause = min(2 * pause, LONGEST)
