"""How points are handed out: lost ones first, then queued ones, then as many suggested ones as are missing.

Points are computed with no lock held, and appended only if nobody asked in between; otherwise they are computed again,
with the others' points pending. Were everybody to compute at once, all but one would do so in vain, again and again.
So whoever is in a crowd (was overtaken, met somebody choosing, sees that others asked since, or asks for one of several
workers) announces a *turn* before computing, and chooses for all: jointly for those who wait, who have said so in the
log, and for as many as will come before the next turn ends (`crowd`). What is not its own goes to the queue, from where
the others take it without computing. A process that is alone announces nothing and computes for itself only.
"""

import random
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from knowgrad.log.crowd import IN_HASTE, TOGETHER, Suggest, blocks, chosen, has_others, is_low, wanted
from knowgrad.log.draft import Draft, Pick, first, points
from knowgrad.log.leases import Refit, as_it_is, reclaimed, terms
from knowgrad.log.ledger import Ledger
from knowgrad.log.log import Log
from knowgrad.log.turns import Turns
from knowgrad.storage import Clock
from knowgrad.storage.forks import unlocked_in_children
from knowgrad.trial import Event, Gain, Suggestion, Trial

Handed = Callable[[Clock], dict[str, Any]]

SHORTEST, LONGEST = 0.005, 0.25  # seconds between two looks at whether a turn is over
GOOD = 60.0  # seconds for which points chosen ahead are good at least
NOTHING = Suggestion((), ())


class _Overtaken(Exception):
    """Somebody else asked while the answer was being computed."""


class Asker:
    """Hands out the points of one study to this process; its threads ask in turn, so none computes in vain."""

    def __init__(self, log: Log, refit: Refit = as_it_is) -> None:
        self._log, self._refit = log, refit
        self._lock = threading.Lock()
        self._turns = Turns(log)
        self._threads = 0  # points that threads of this process wait for
        self._batches: int | None = None  # of the study when this process last asked
        unlocked_in_children(self)

    def unlock(self) -> None:
        """In a child, which is another asker."""
        self._lock, self._threads = threading.Lock(), 0
        self._turns.renew_ticket()

    def ask(
        self,
        q: int,
        suggest: Suggest,
        lease: float | None,
        worker: str | None,
        pick: Pick = first,
        measure: tuple[str, ...] | None = None,
    ) -> tuple[list[Trial], Gain | None]:
        """`q` trials, pending from now on, and what those among them that a model chose are expected to be worth.

        `measure`: the outcomes that are asked for, if not all.
        """
        terms = partial(_terms, lease, worker, measure)
        plain = measure is None and not isinstance(suggest, partial)  # whoever comes may have such points
        self._threads += q if plain else 0
        with self._lock:
            self._threads -= q if plain else 0
            at_once, crowded = self._has_queued(q, pick, plain), False
            while True:
                draft = None if at_once else self._draft(q, crowded, pick, plain, worker)
                try:
                    found = NOTHING if draft is None else self._compute(draft, suggest)
                    return self._hand_out(q, draft, found, terms, pick, at_once), _gain(found)
                except _Overtaken:
                    at_once, crowded = False, not at_once

    def reclaim(self, *, is_over: bool = False) -> Ledger:
        """Take back what was lost; the ledger with it. `is_over`: see `reclaimed`."""
        decide = partial(reclaimed, refit=self._refit, is_over=is_over)
        with self._log.lock:
            ledger = self._log.read()
            return self._log.commit(decide) if decide(ledger, self._log.storage.now) else ledger

    def _has_queued(self, q: int, pick: Pick, plain: bool) -> bool:
        """Had the queue enough when the log was last read, for others too? Then there is no need to look first."""
        with self._log.lock:
            ledger = self._log.peek()
            if len(pick(ledger.queue, q)) < q:
                return False
            return not (plain and is_low(ledger, q)) or self._turns.is_taken(ledger, self._log.storage.now)

    def _draft(self, q: int, crowded: bool, pick: Pick, plain: bool, worker: str | None) -> Draft | None:
        """What to compute with, once nobody else is choosing and, in a crowd, we have said that we are.

        None if there is nothing to compute, because the queue has enough.
        """
        pause = SHORTEST
        while True:
            with self._log.lock:
                ledger = self.reclaim()
                crowded = crowded or self._batches not in (None, ledger.batches) or has_others(ledger, worker)
                enough = len(pick(ledger.queue, q)) >= q
                is_taken = self._turns.is_taken(ledger, self._log.storage.now)
                if enough and (is_taken or not (crowded and plain and is_low(ledger, q))):
                    return None
                if not is_taken and (not crowded or self._turns.announce()):
                    return self._begun(ledger, q, pick, crowded, plain)
                if enough:
                    return None
                if plain:
                    self._turns.wait(q, ledger)
                offered = self._turns.until_offered(ledger)
            crowded = True
            time.sleep(offered + pause * random.uniform(0.5, 1.0))
            pause = min(2 * pause, LONGEST)

    def _begun(self, ledger: Ledger, q: int, pick: Pick, crowded: bool, plain: bool) -> Draft | None:
        """The draft, now that it is our turn; nothing is left to compute if others have filled the queue meanwhile."""
        others = wanted(ledger, q, self._turns.ticket, self._log.storage.now, crowded) + self._threads if plain else 0
        enough = len(pick(ledger.queue, q)) >= q
        if enough and not others:
            return None
        return Draft.of(ledger, q, pick, others, ledger.computed if crowded else None)

    def _compute(self, draft: Draft, suggest: Suggest) -> Suggestion:
        """The points that are still to be handed out; in a crowd, what was chosen before them is in the queue."""
        start = time.monotonic()
        if draft.hurried:
            suggest = partial(suggest, hurried=True)
        if draft.others and draft.computed is not None:
            size = IN_HASTE if draft.hurried else TOGETHER
            return self._offered(draft, blocks(suggest, draft.known, draft.missing, draft.others, size), start)
        if draft.others:
            found = chosen(suggest, draft.known, draft.missing, draft.others)
        else:
            found = suggest(draft.known, draft.missing)
        self._turns.spent = time.monotonic() - start
        return found

    def _offered(self, draft: Draft, found: Iterator[Suggestion], start: float) -> Suggestion:
        """The last of these; those before it go to the queue as soon as they are chosen."""
        left, first = draft.missing + draft.others, True
        for block in found:
            self._turns.spent = time.monotonic() - start if first else self._turns.spent
            left, first = left - len(block.params), False
            if left <= 0:
                return block
            self._log.commit(partial(self._queued, draft, points(block)))
        return NOTHING

    def _queued(self, draft: Draft, made: list[dict[str, Any]], ledger: Ledger, now: Clock) -> list[Event]:
        """Points for whoever comes, and our turn goes on."""
        if draft.is_late(ledger):
            raise _Overtaken
        number = len(ledger.trials)
        return [*_ahead(enumerate(made, number), self._turns.spent, now), self._turns.turn(ledger, now)]

    def _hand_out(
        self, q: int, draft: Draft | None, found: Suggestion, handed: Handed, pick: Pick, at_once: bool
    ) -> list[Trial]:
        """Points of the queue go to whoever comes; those that were computed only if nobody asked in between.

        `at_once`: nobody has looked for leases that have ended; whose points they were, come first.
        """
        numbers: list[int] = []
        is_announced = draft is not None and draft.computed is not None

        def decide(ledger: Ledger, now: Clock) -> list[Event]:
            # in a crowd others may have taken what was queued
            queued = pick(ledger.queue, q) if draft is None or is_announced else draft.queued
            missing = q - len(queued)
            if (draft is not None and draft.is_late(ledger)) or len(found.params) < missing:
                raise _Overtaken
            if at_once and reclaimed(ledger, now, self._refit):
                raise _Overtaken
            to_whom = {"batch": ledger.batches, **handed(now), **self._turns.ended(ledger, is_announced)}
            first = len(ledger.trials)
            made = points(found)
            numbers[:] = [*(trial.number for trial in queued), *range(first, first + missing)]
            ours = zip(numbers, [{} for _ in queued] + made[:missing], strict=True)
            others = enumerate(made[missing:], first + missing)
            asked = [Event("asked", {"number": n, **point, **to_whom}) for n, point in ours]
            return [*asked, *_ahead(others, self._turns.spent, now)]

        with self._log.lock:
            ledger = self._log.commit(decide)
            self._batches = ledger.batches
            return [ledger.trials[number] for number in numbers]


def _terms(lease: float | None, worker: str | None, measure: tuple[str, ...] | None, now: Clock) -> dict[str, Any]:
    """Who has points from now on, for how long, and what is to be measured."""
    said = {} if measure is None else {"measure": list(measure)}
    return {"worker": worker, **said, **({} if lease is None else terms(lease, now()))}


def _ahead(points: Iterable[tuple[int, dict[str, Any]]], spent: float, now: Clock) -> list[Event]:
    """Points by number, for whoever comes in the next while."""
    made = list(points)
    while_good = terms(max(GOOD, 20.0 * spent), now()) if made else {}
    return [Event("queued", {"number": number, **point, "ahead": True, **while_good}) for number, point in made]


def _gain(found: Suggestion) -> Gain | None:
    return None if found.gain is None else Gain(found.gain, found.sem or 0.0, len(found.params), found.cost)
