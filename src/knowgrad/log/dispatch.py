"""How points are handed out: lost ones first, then queued ones, then as many suggested ones as are missing.

Points are computed with no lock held, and appended only if nobody asked in between; otherwise they are computed again,
with the others' points pending. Were everybody to compute at once, all but one would do so in vain, again and again.
So whoever was overtaken, or met somebody choosing, announces a *turn* before computing, and others wait until it is
over or its time is up. Then n processes that ask at once compute about 2n batches, not n²/2; a process that is alone
announces nothing.
"""

import random
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from knowgrad.log.leases import reclaimed, terms
from knowgrad.log.ledger import Ledger, holds
from knowgrad.log.log import Log
from knowgrad.storage import Clock
from knowgrad.storage.forks import unlocked_in_children
from knowgrad.trial import Event, Gain, Suggestion, Trial

Suggest = Callable[[tuple[Trial, ...], int], Suggestion]
# Those of the queue, in its order, that an ask for at most q points may be handed.
Pick = Callable[[list[Trial], int], list[Trial]]
Handed = Callable[[Clock], dict[str, Any]]

TURN = 5.0  # seconds a turn lasts at least, when whoever announced it dies
SHORTEST, LONGEST = 0.005, 0.25  # seconds between two looks at whether a turn is over
NOTHING = Suggestion((), ())


class _Overtaken(Exception):
    """Somebody else asked while the answer was being computed."""


def first(queue: list[Trial], q: int) -> list[Trial]:
    """The next q."""
    return queue[:q]


@dataclass(frozen=True)
class _Draft:
    """What points that have to be computed rest on."""

    turn: tuple[int, int]
    queued: list[Trial]
    known: tuple[Trial, ...]
    """What a suggestion is to be a function of."""

    @classmethod
    def of(cls, ledger: Ledger, q: int, pick: Pick) -> "_Draft":
        queued = pick(ledger.queue, q)
        known = [*ledger.known, *(replace(trial, state="pending") for trial in queued)]
        return cls(ledger.turn, queued, tuple(sorted(known, key=lambda trial: trial.number)))


class Asker:
    """Hands out the points of one study to this process; its threads ask in turn, so none computes in vain."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._lock = threading.Lock()
        self._ticket = secrets.token_hex(8)
        self._spent = 0.0
        unlocked_in_children(self)

    def unlock(self) -> None:
        """In a child, which is another asker."""
        self._lock, self._ticket = threading.Lock(), secrets.token_hex(8)

    def ask(
        self, q: int, suggest: Suggest, lease: float | None, worker: str | None, pick: Pick = first
    ) -> tuple[list[Trial], Gain | None]:
        """`q` trials, pending from now on, and what those among them that a model chose are expected to be worth."""
        with self._lock:
            at_once, crowded = self._has_queued(q, pick), False
            while True:
                draft = None if at_once else self._draft(q, crowded, pick)
                found = NOTHING if draft is None else self._compute(draft, q - len(draft.queued), suggest)
                try:
                    return self._hand_out(q, draft, found, partial(_terms, lease, worker), pick, at_once), _gain(found)
                except _Overtaken:
                    at_once, crowded = False, not at_once

    def reclaim(self) -> Ledger:
        """Take back what was lost; the ledger with it."""
        with self._log.lock:
            ledger = self._log.read()
            if ledger.is_any_leased and reclaimed(ledger, self._log.storage.now()):
                return self._log.commit(lambda ledger, now: reclaimed(ledger, now()))
            return ledger

    def _has_queued(self, q: int, pick: Pick) -> bool:
        """Had the queue enough when the log was last read, and nobody a lease? Then there is no need to look first."""
        with self._log.lock:
            ledger = self._log.peek()
            return not ledger.is_any_leased and len(pick(ledger.queue, q)) >= q

    def _draft(self, q: int, crowded: bool, pick: Pick) -> _Draft | None:
        """What to compute with, once nobody else is choosing and, in a crowd, we have said that we are.

        None if there is nothing to compute, because the queue has enough.
        """
        pause = SHORTEST
        while True:
            with self._log.lock:
                ledger = self.reclaim()
                if len(pick(ledger.queue, q)) >= q:
                    return None
                is_taken = self._foreign(ledger, self._log.storage.now)
                if not is_taken and (not crowded or self._announce()):
                    return _Draft.of(ledger, q, pick) if len(pick(ledger.queue, q)) < q else None
            crowded = True
            time.sleep(pause * random.uniform(0.5, 1.0))
            pause = min(2 * pause, LONGEST)

    def _foreign(self, ledger: Ledger, now: Clock) -> bool:
        """Is somebody else choosing?"""
        ticket = ledger.ticket
        if ticket is None or ticket["ticket"] == self._ticket:
            return False
        return holds(ticket["lease"], ticket["deadline"], now())

    def _announce(self) -> bool:
        """Say that it is our turn; False if somebody was faster."""
        ours = False

        def decide(ledger: Ledger, now: Clock) -> list[Event]:
            nonlocal ours
            ours = not self._foreign(ledger, now)
            return [Event("turn", {"ticket": self._ticket, **terms(max(TURN, 3 * self._spent), now())})] if ours else []

        self._log.commit(decide)
        return ours

    def _compute(self, draft: _Draft, missing: int, suggest: Suggest) -> Suggestion:
        start = time.monotonic()
        found = suggest(draft.known, missing)
        self._spent = time.monotonic() - start
        return found

    def _hand_out(
        self, q: int, draft: _Draft | None, found: Suggestion, handed: Handed, pick: Pick, at_once: bool
    ) -> list[Trial]:
        """Points of the queue go to whoever comes; those that were computed only if nobody asked in between.

        `at_once`: nobody has looked for leases that have ended; whose points they were, come first.
        """
        numbers: list[int] = []

        def decide(ledger: Ledger, now: Clock) -> list[Event]:
            queued = pick(ledger.queue, q) if draft is None else draft.queued
            if len(queued) < q if draft is None else draft.turn != ledger.turn:
                raise _Overtaken
            if at_once and ledger.is_any_leased:
                raise _Overtaken
            to_whom = {"batch": ledger.batches, **handed(now)}
            first = len(ledger.trials)
            numbers[:] = [*(trial.number for trial in queued), *range(first, first + len(found.params))]
            points = [{"params": p, "source": s} for p, s in zip(found.params, found.sources, strict=True)]
            points = [{} for _ in queued] + points
            return [Event("asked", {"number": n, **point, **to_whom}) for n, point in zip(numbers, points, strict=True)]

        with self._log.lock:
            trials = self._log.commit(decide).trials
            return [trials[number] for number in numbers]


def _terms(lease: float | None, worker: str | None, now: Clock) -> dict[str, Any]:
    """Who has points from now on, and for how long."""
    return {"worker": worker, **({} if lease is None else terms(lease, now()))}


def _gain(found: Suggestion) -> Gain | None:
    return None if found.gain is None else Gain(found.gain, found.sem or 0.0, len(found.params))
