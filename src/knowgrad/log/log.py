"""A storage, and the ledger of what was read from it: read, decide, append.

Where the storage can keep other writers out, that is one step, and whoever decides gets his way. Elsewhere an append
succeeds only if nobody was faster, and whoever was too late decides again.
"""

import random
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

from knowgrad.log.effects import HAPPEN
from knowgrad.log.ledger import Ledger
from knowgrad.storage import Clock, Decide, Exclusive, OutOfDate, Page, Storage
from knowgrad.storage.forks import unlocked_in_children
from knowgrad.trial import Event

SHORTEST, LONGEST = 0.002, 0.5  # seconds to wait at most when another writer was faster, the first time and at last
CROWD, AGE = 8, 0.05  # with so many at work, what was read so many seconds ago is old


class Log:
    """Several threads may share it; whoever looks at the ledger for longer than one glance holds the lock."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage
        self.lock = threading.RLock()
        self._ledger = Ledger()
        self._empty = Ledger()
        self._looked = 0.0
        self._amend = storage.amend if isinstance(storage, Exclusive) else partial(_amend, storage)
        unlocked_in_children(self)

    def unlock(self) -> None:
        self.lock = threading.RLock()

    def read(self) -> Ledger:
        """The ledger, up to date."""
        with self.lock:
            self._take_in(self.storage.read(self._ledger.length))
            return self._ledger

    def peek(self) -> Ledger:
        """The ledger as it was read last: the storage is not asked."""
        with self.lock:
            return self._ledger

    def commit(self, decide: Callable[[Ledger, Clock], Sequence[Event]]) -> Ledger:
        """Append what `decide` makes of the latest ledger.

        It may be called more than once; the last answer counts. Other writers may be waiting for it, so it computes
        nothing that takes time, and it asks no other clock. An exception of its leaves the log as it was.
        """
        events: Sequence[Event] = ()

        def step(news: list[Event], now: Clock) -> Sequence[Event]:
            nonlocal events
            self._take_in(news)
            events = stamped(decide(self._ledger, now), time.time())
            return events

        with self.lock:
            if not self._ledger.length or self._is_old():
                self.read()  # a long log takes a while, and the others need not wait for it
            self._amend(self._ledger.length, step)
            for event in events:
                if event.kind == "renewed":
                    return self.read()  # only the storage knows whether these are part of the log
            self._take_in(events)
            return self._ledger

    def _is_old(self) -> bool:
        """Is there probably much to read? In a crowd, the others wait for whoever writes."""
        return self._ledger.running >= CROWD and time.monotonic() - self._looked > AGE

    def _take_in(self, events: Sequence[Event]) -> None:
        """Whole, or not at all: an interrupt leaves an empty ledger, and the next look reads the log anew."""
        self._looked = time.monotonic()
        leases = events.leases if isinstance(events, Page) else ()
        if events or leases:
            ledger, self._ledger = self._ledger, self._empty
            if ledger is self._empty:  # after an interrupt, and at first
                self._ledger = self._empty = Ledger()
            ledger.fold(events)
            if leases:
                ledger.renew(leases)
            self._ledger = ledger


def stamped(events: Sequence[Event], now: float) -> list[Event]:
    """With the time, for people; a round trip to the storage's own clock is not worth it."""
    return [
        each if "time" in each.data or each.kind not in HAPPEN else Event(each.kind, {**each.data, "time": now})
        for each in events
    ]


def _amend(storage: Storage, after: int, decide: Decide) -> None:
    """`Exclusive.amend` for a storage that has none."""
    pause = SHORTEST
    while True:
        with suppress(OutOfDate):
            news = storage.read(after)
            after += len(news)
            if events := decide(news, storage.now):
                storage.append(events, expected=after)
            return
        # In a crowd, all but one were too late: were all to try again at once, so it would be the next time.
        time.sleep(random.uniform(0.0, pause))
        pause = min(2 * pause, LONGEST)
