"""Rows of a table recorded as results, the good ones in one change; whatever happens to a row is reported."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from knowgrad.errors import ArgumentError
from knowgrad.log.added import added
from knowgrad.log.ledger import Ledger
from knowgrad.log.log import Log
from knowgrad.outcomes import Goals
from knowgrad.space import Space
from knowgrad.storage import Clock
from knowgrad.tables.entries import PLAIN, Entry, Named, understood
from knowgrad.tables.reading import read
from knowgrad.tables.report import Added, Refused
from knowgrad.text import shown
from knowgrad.trial import Event, Outcome

SpaceOf = Callable[[Ledger], Space]
Meant = tuple[list[Entry], list[Refused], tuple[str, ...]]


class _Changed(Exception):
    """The space was changed while the table was read."""


def add_rows(
    log: Log,
    space_of: SpaceOf,
    direction: str,
    table: Any,
    *,
    repeats: bool = False,
    decimal: str = ".",
    goals: Goals = PLAIN,
    **names: Named,
) -> Added:
    """Add the rows that can be understood. `names` are those of the columns `value` and `sem`."""
    if decimal not in (".", ","):
        raise ArgumentError(f"decimal: expected '.' or ',', got {shown(decimal)}; pass the one the table uses")
    rows = read(table)
    while True:
        space = space_of(log.read())
        meant = understood(rows, space, direction, decimal=decimal, goals=goals, **names)
        with suppress(_Changed):
            return _add(log, meant, repeats, space, space_of, goals)


def _add(log: Log, meant: Meant, repeats: bool, space: Space, space_of: SpaceOf, goals: Goals) -> Added:
    """Add what the rows mean in this space, in one change, if it is still that of the study."""
    entries, refused, ignored = meant
    known: list[Refused] = []
    first = 0

    def decide(ledger: Ledger, now: Clock) -> list[Event]:
        nonlocal first
        if space_of(ledger) is not space:
            raise _Changed
        known[:], first = [], len(ledger.trials)
        new = entries if repeats else list(_news(entries, ledger, known, tuple(space.columns)))
        return [event for i, e in enumerate(new) for event in added(first + i, e.params, e.kind, e.data, goals)]

    with log.lock:
        trials = log.commit(decide).trials
        return Added(tuple(trials[first : first + len(entries) - len(known)]), tuple(refused), tuple(known), ignored)


def _news(entries: list[Entry], ledger: Ledger, known: list[Refused], names: Sequence[str]) -> list[Entry]:
    """The entries that repeat no result of the study; those that a table has twice are two results.

    A result that was corrected or discarded is known as it was told, too: the table does not bring it back.
    """
    there: dict[str, list[int]] = defaultdict(list)
    for trial in ledger.trials:
        for told in (trial.outcome, *(change.old for change in trial.history)):
            there[_key(trial.params, told, names)].append(trial.number)
    used: set[int] = set()
    new = []
    for entry in entries:
        same = [number for number in there.get(_key(entry.params, entry.outcome, names), ()) if number not in used]
        if same:
            number = same[0]
            used.add(number)
            again = "another measurement needs repeats=True (--repeats)"
            known.append(Refused(entry.row, entry.where, f"the same point and result as trial {number}; {again}"))
        else:
            new.append(entry)
    return new


def _key(params: Mapping[str, Any], told: Outcome, names: Sequence[str]) -> str:
    """As text, because 1 == True == 1.0.

    A parameter that was dropped, or that an equality decides, does not count. Nor do outcomes of a trial that failed.
    """
    result = None if told.state == "failed" else dict(told.outcomes) or (told.value, told.sem)
    return repr(([params[name] for name in names if name in params], told.state, result, told.reason))
