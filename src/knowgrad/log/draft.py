"""`Draft`: what points that have to be computed rest on, and whether they still may be handed out."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from knowgrad.log.crowd import Known, is_hurried
from knowgrad.log.ledger import Ledger
from knowgrad.trial import Suggestion, Trial

# Those of the queue, in its order, that an ask for at most q points may be handed.
Pick = Callable[[list[Trial], int], list[Trial]]


def first(queue: list[Trial], q: int) -> list[Trial]:
    """The next q."""
    return queue[:q]


@dataclass(frozen=True)
class Draft:
    """What points that have to be computed rest on."""

    turn: tuple[int, int, int]
    queued: list[Trial]
    known: Known
    """What a suggestion is to be a function of."""
    missing: int
    others: int = 0
    """Points to choose for others."""
    computed: int | None = None
    """How often points had been computed before a turn that was announced; None: none was."""
    hurried: bool = False
    """Is there no time for the usual effort?"""

    @classmethod
    def of(cls, ledger: Ledger, q: int, pick: Pick, others: int = 0, computed: int | None = None) -> "Draft":
        queued = pick(ledger.queue, q)
        stock = {trial.number: trial for trial in (*queued, *ledger.stock)}.values()
        known = [*ledger.known, *(replace(trial, state="pending") for trial in stock)]
        rests_on = Known.of(known, len(ledger.spaces) - 1)
        hurried = computed is not None and is_hurried(ledger)
        return cls(ledger.turn, queued, rests_on, q - len(queued), others, computed, hurried)

    def is_late(self, ledger: Ledger) -> bool:
        """Has somebody asked, or in a crowd computed, in between?"""
        if self.computed is None:
            return self.turn != ledger.turn
        return (self.computed, self.known.space) != (ledger.computed, len(ledger.spaces) - 1)


def points(found: Suggestion) -> list[dict[str, Any]]:
    """What the events say about points that were computed."""
    none = (None,) * len(found.params)
    about = zip(found.params, found.sources, found.measures or none, found.continues or none, strict=True)
    return [
        {
            "params": params,
            "source": source,
            **({} if measure is None else {"measure": list(measure)}),
            **({} if continues is None else {"continues": continues}),
        }
        for params, source, measure, continues in about
    ]
