"""Rows of a table recorded as results, the good ones in one change; whatever happens to a row is reported."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from knowgrad.errors import ArgumentError
from knowgrad.log.added import added
from knowgrad.log.ledger import Ledger
from knowgrad.log.log import Log
from knowgrad.space import Space
from knowgrad.storage import Clock
from knowgrad.tables.entries import Entry, understood
from knowgrad.tables.reading import read
from knowgrad.tables.report import Added, Refused
from knowgrad.text import shown
from knowgrad.trial import Event, Outcome


def add_rows(
    log: Log, space: Space, direction: str, table: Any, *, repeats: bool = False, decimal: str = ".", **names: str
) -> Added:
    """Add the rows that can be understood. `names` are those of the columns `value` and `sem`."""
    if decimal not in (".", ","):
        raise ArgumentError(f"decimal: expected '.' or ',', got {shown(decimal)}; pass the one the table uses")
    entries, refused, ignored = understood(read(table), space, direction, decimal=decimal, **names)
    known: list[Refused] = []
    first = 0

    def decide(ledger: Ledger, now: Clock) -> list[Event]:
        nonlocal first
        known[:], first = [], len(ledger.trials)
        new = entries if repeats else list(_news(entries, ledger, known))
        return [event for i, e in enumerate(new) for event in added(first + i, e.params, e.kind, e.data)]

    with log.lock:
        trials = log.commit(decide).trials
        return Added(tuple(trials[first : first + len(entries) - len(known)]), tuple(refused), tuple(known), ignored)


def _news(entries: list[Entry], ledger: Ledger, known: list[Refused]) -> list[Entry]:
    """The entries that repeat no result of the study; those that a table has twice are two results.

    A result that was corrected or discarded is known as it was told, too: the table does not bring it back.
    """
    there: dict[str, list[int]] = defaultdict(list)
    for trial in ledger.trials:
        for told in (trial.outcome, *(change.old for change in trial.history)):
            there[_key(trial.params, told)].append(trial.number)
    used: set[int] = set()
    new = []
    for entry in entries:
        same = [number for number in there.get(_key(entry.params, entry.outcome), ()) if number not in used]
        if same:
            number = same[0]
            used.add(number)
            again = "another measurement needs repeats=True (--repeats)"
            known.append(Refused(entry.row, entry.where, f"the same point and result as trial {number}; {again}"))
        else:
            new.append(entry)
    return new


def _key(params: Mapping[str, Any], told: Outcome) -> str:
    """As text, because 1 == True == 1.0."""
    return repr((list(params.values()), told.state, told.value, told.sem, told.reason))
