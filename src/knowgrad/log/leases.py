"""Leases: for how long a worker holds a point, and what happens to the point when the worker is lost.

A lost trial expires, and its point is queued again as a new trial that names it in `retry_of`. A late result still
completes the old one. A point that keeps losing its workers is not offered for ever: it is written down as failed.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from knowgrad.log.ledger import Ledger, holds
from knowgrad.storage import Clock
from knowgrad.trial import Event, Trial

# The params of an earlier point in the space as it is now; None if it has no place there.
Refit = Callable[[Ledger, Mapping[str, Any]], dict[str, Any] | None]
ATTEMPTS = 3  # workers that may be lost with the same point


def as_it_is(ledger: Ledger, params: Mapping[str, Any]) -> dict[str, Any] | None:
    """Where no space changes."""
    return dict(params)


def terms(lease: float, now: float) -> dict[str, Any]:
    """What an event says about a lease granted now."""
    return {"lease": lease, "deadline": now + lease}


def reclaimed(ledger: Ledger, clock: Clock, refit: Refit = as_it_is, *, is_over: bool = False) -> list[Event]:
    """The events that take lost points back: all expired leases, their points queued or given up.

    A point that has no place in a space that was changed meanwhile is not offered again. Points that were chosen ahead
    and that nobody came for are dropped: by now there are results that they do not know. `is_over`: so is all the stock
    if nobody is at work.
    """
    if not ledger.is_any_leased and not ledger.stock:
        return []  # a clock may be far away
    now = clock()
    dropped = ledger.out_of_date(math.inf if is_over and not ledger.running else now)
    events, number = [Event("expired", {"number": each}) for each in dropped], len(ledger.trials)
    for trial in ledger.pending:
        if trial.lease is None or trial.deadline is None or holds(trial.lease, trial.deadline, now):
            continue
        params = refit(ledger, trial.params)
        if params is None:
            events.append(Event("expired", {"number": trial.number}))
            continue
        lost = ledger.lost(trial.number) + (not ledger.was_given_back(trial))
        point = {"params": params, "source": trial.source}
        again = {"number": number, **point, "retry_of": trial.number, "lost": lost}
        if trial.measure is not None:
            again["measure"] = list(trial.measure)
        if trial.continues is not None:
            again["continues"] = trial.continues
        events += [Event("expired", {"number": trial.number}), Event("queued", again)]
        if lost >= ATTEMPTS:
            events.append(Event("failed", {"number": number, "reason": f"{lost} workers were lost with this point"}))
        number += 1
    return events


def renewed(trials: Sequence[Trial], lease: float, now: float) -> list[Event]:
    """One event for all of these that still wait for a result."""
    numbers = [trial.number for trial in trials if trial.state == "pending"]
    return [Event("renewed", {"numbers": numbers, **terms(lease, now)})] if numbers else []
