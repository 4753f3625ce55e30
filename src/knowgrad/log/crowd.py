"""How many points to choose when many processes ask: for those who wait, and for those who will have come meanwhile.

A choice takes T seconds. Of p running evaluations that take E seconds each, p T / E end meanwhile, and as many workers
come and ask; if the points that they need are there, none of them waits. Where evaluations are long and workers few,
that is less than one, and nothing is chosen ahead of time.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import reduce
from statistics import median

from knowgrad.log.leases import holds
from knowgrad.log.ledger import Ledger
from knowgrad.storage import Clock
from knowgrad.trial import Suggestion, Trial

MOST = 64  # points that are chosen for others at once
LATEST = 64  # trials that say how long an evaluation takes
TOGETHER = 8  # of these, chosen jointly; the next ones with these pending


class Known(tuple[Trial, ...]):
    """Trials, and the number of the space of the ledger that they lie in."""

    space: int

    @classmethod
    def of(cls, trials: Iterable[Trial], space: int) -> "Known":
        made = cls(sorted(trials, key=lambda trial: trial.number))
        made.space = space
        return made


Suggest = Callable[[Known, int], Suggestion]


def expected(ledger: Ledger) -> int:
    """How many evaluations will end, and points be asked for, during a choice: at most MOST."""
    running, latest = len(ledger.pending), ledger.trials[-LATEST - len(ledger.pending) :]
    took = [t.ended - t.began for t in latest if t.state == "complete" and t.began and t.ended]
    if not took or not ledger.spent:
        return 0
    return min(int(running * ledger.spent / max(median(took), 1e-3)), MOST)


def is_low(ledger: Ledger, q: int) -> bool:
    """Will those who come during a choice find less than they need, once q of the points in stock are taken?"""
    return 0 <= len(ledger.stock) - q < expected(ledger)


def wanted(ledger: Ledger, q: int, ticket: str, clock: Clock, crowded: bool) -> int:
    """How many points to choose beside one's own q."""
    waiting = [each for each in ledger.waiting.values() if each["ticket"] != ticket]
    now = clock() if waiting else 0.0  # a clock may be far away
    asked: int = sum(each["q"] for each in waiting if holds(each["lease"], each["deadline"], now))
    stock = max(len(ledger.stock) - q, 0)
    ahead = 2 * expected(ledger) if crowded else 0  # during this choice, and during the next
    return max(min(asked + ahead - stock, MOST), 0)


def blocks(suggest: Suggest, known: Known, own: int, others: int) -> Iterator[Suggestion]:
    """Points for oneself and for others: the first TOGETHER of them chosen jointly, then as many with these pending."""
    done = 0
    while (left := own + others - done) > 0:
        found = suggest(known, min(left, max(own - done, TOGETHER)))
        yield found
        number, done = known[-1].number + 1 if known else 0, done + len(found.params)
        each = enumerate(zip(found.params, found.continues or (None,) * len(found.params), strict=True), number)
        pending = [Trial(f"ahead-{i}", i, params, "pending", continues=continues) for i, (params, continues) in each]
        known = Known.of([*known, *pending], known.space)


def chosen(suggest: Suggest, known: Known, own: int, others: int) -> Suggestion:
    """All of these at once."""
    return reduce(_together, blocks(suggest, known, own, others))


def _together(first: Suggestion, then: Suggestion) -> Suggestion:
    """Points chosen after others; the gain is that of the first."""
    measures: tuple[tuple[str, ...] | None, ...] = ()
    if first.measures or then.measures:
        each = [found.measures or (None,) * len(found.params) for found in (first, then)]
        measures = (*each[0], *each[1])
    continues: tuple[int | None, ...] = ()
    if first.continues or then.continues:
        runs = [found.continues or (None,) * len(found.params) for found in (first, then)]
        continues = (*runs[0], *runs[1])
    params, sources = first.params + then.params, first.sources + then.sources
    return replace(first, params=params, sources=sources, measures=measures, continues=continues)
