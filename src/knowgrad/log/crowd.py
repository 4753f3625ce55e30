"""How many points to choose when many processes ask: for those who wait, and for those who will have come meanwhile.

A choice takes T seconds. Of p running evaluations that take E seconds each, p T / E end meanwhile, and as many workers
come and ask; if the points that they need are there, none of them waits. Where evaluations are long and workers few,
that is less than one, and nothing is chosen ahead of time.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import reduce
from statistics import median

from knowgrad.log.ledger import Ledger, holds
from knowgrad.storage import Clock
from knowgrad.trial import Suggestion, Trial

MOST = 64  # points that are chosen for others at once
LATEST = 64  # trials that say how long an evaluation takes
TOGETHER = 8  # of these, chosen jointly; the next ones with these pending
IN_HASTE = 16  # the same where there is no time to lose
USUAL = 0.05  # seconds that a point takes to choose, if there is time


class Known(tuple[Trial, ...]):
    """Trials, and the number of the space of the ledger that they lie in."""

    space: int

    @classmethod
    def of(cls, trials: Iterable[Trial], space: int) -> "Known":
        made = cls(sorted(trials, key=lambda trial: trial.number))
        made.space = space
        return made


Suggest = Callable[..., Suggestion]  # of Known and how many; `hurried` if there is no time to lose


def expected(ledger: Ledger) -> int:
    """How many evaluations will end, and points be asked for, during a choice: at most MOST."""
    seconds = _of_an_evaluation(ledger)
    if seconds is None or not ledger.spent:
        return 0
    return min(int(len(ledger.pending) * ledger.spent / seconds), MOST)


def _of_an_evaluation(ledger: Ledger) -> float | None:
    """How long one takes; None if nobody knows."""
    latest = ledger.trials[-LATEST - len(ledger.pending) - len(ledger.stock) :]
    took = [t.ended - t.began for t in latest if t.state == "complete" and t.began and t.ended]
    return max(median(took), 1e-3) if took else None


def is_hurried(ledger: Ledger) -> bool:
    """Would points take more than a quarter of the time of one who only chooses, with the usual effort?"""
    seconds = _of_an_evaluation(ledger)
    return seconds is not None and _at_work(ledger) * USUAL >= 0.25 * seconds


def _at_work(ledger: Ledger) -> int:
    return len(ledger.pending) + len(ledger.waiting)


def has_others(ledger: Ledger, worker: str | None) -> bool:
    """Has a worker of another name a running point? A service asks for all of its clients."""
    return worker is not None and any(trial.worker not in (None, worker) for trial in ledger.pending)


def _round(ledger: Ledger) -> int:
    """A point for everybody, where there is no time to lose: short evaluations often end together."""
    return _at_work(ledger) if is_hurried(ledger) else 0


def is_low(ledger: Ledger, q: int) -> bool:
    """Will those who come during a choice find less than they need, once q of the points in stock are taken?"""
    left = len(ledger.stock) - q
    return 0 <= left < max(expected(ledger), 3 * _round(ledger) // 4)


def wanted(ledger: Ledger, q: int, ticket: str, clock: Clock, crowded: bool) -> int:
    """How many points to choose beside one's own q."""
    waiting = [each for each in ledger.waiting.values() if each["ticket"] != ticket]
    now = clock() if waiting else 0.0  # a clock may be far away
    asked: int = sum(each["q"] for each in waiting if holds(each["lease"], each["deadline"], now))
    stock = max(len(ledger.stock) - q, 0)
    ahead = 2 * expected(ledger) if crowded else 0  # during this choice, and during the next
    if crowded:
        ahead = max(ahead, 3 * _round(ledger) // 2)
    return max(min(asked + ahead - stock, MOST), 0)


def blocks(suggest: Suggest, known: Known, own: int, others: int, size: int = TOGETHER) -> Iterator[Suggestion]:
    """Points for oneself and for others: the first `size` of them chosen jointly, then as many with these pending.

    In haste the first ones come soon, and after them all that are left, or twice as many.
    """
    done, hurried = 0, size == IN_HASTE
    while (left := own + others - done) > 0:
        q = min(left, max(own - done, size))
        q = left if hurried and done and left - q < IN_HASTE else q
        found = suggest(known, q)
        yield found
        size = 2 * IN_HASTE if hurried else size
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
