"""How a run takes points of a study and gives them back.

A study in memory is the run's own. A durable one is shared: with other runs and workers, and with former ones that may
have died. There every point is taken on a lease, which is renewed while the point is in hand; what a run gives up is
queued for whoever comes next, and what others have lost comes back when their leases end.
"""

import math
from contextlib import nullcontext
from typing import Any, Self

from knowgrad.runner.patience import Patience
from knowgrad.runner.renewal import Renewer
from knowgrad.runner.studies import Measure, Runnable, Shared
from knowgrad.trial import Trial


class Claims:
    """The points of one run; `lease` None: nobody else is at work on the study."""

    def __init__(
        self,
        study: Runnable,
        lease: float | None = None,
        worker: str | None = None,
        patience: Patience | None = None,
        shared: Shared = None,
        measure: Measure = None,
    ) -> None:
        self._study, self._lease, self._worker, self.shared, self._measure = study, lease, worker, shared, measure
        self._patience = patience or Patience()
        self._renewer = nullcontext() if lease is None else Renewer(study, lease)

    def __enter__(self) -> Self:
        self._renewer.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._renewer.__exit__(*error)

    def take(self, q: int, limit: float, *, last: bool = False) -> list[Trial]:
        """Up to `q` points; fewer where others were faster and the study has come to its `limit` of evaluations."""
        whose: dict[str, Any] = {"lease": self._lease, "worker": self._worker}
        taken = self._study.ask(q, last=last, shared=self.shared, measure=self._measure, **whose)
        if isinstance(self._renewer, Renewer):
            self._renewer.hold(taken)
        if self._lease is None or limit == math.inf:
            return taken
        return self._patience.through(lambda: self._wanted(taken, int(limit)))  # they are ours: nobody else counts them

    def _wanted(self, taken: list[Trial], limit: int) -> list[Trial]:
        """Those that are not too many; the others are given up."""
        surplus = {trial.number for trial in self._evaluations()[limit:]}
        for trial in taken:
            if trial.number in surplus:
                self._study.expire(trial)
        return [trial for trial in taken if trial.number not in surplus]

    def give_back(self, trial: Trial, *, again: bool = False) -> None:
        """It is no longer pending; where others may come, or it is to be tried `again`, it is the next."""
        if trial.number in {each.number for each in self._study.pending}:
            self._study.expire(trial)
            if trial.continues is None and (again or self._lease is not None):  # a paused run can be taken up anyway
                self._study.enqueue(trial.params)

    def evaluated(self) -> int:
        """How many trials have an outcome or are about to."""
        if self._lease is not None:
            self._study.reclaim()
        return len(self._evaluations())

    def end(self) -> None:
        """The run is over: nothing stays queued that was chosen for workers who will not come."""
        if self._lease is not None:
            self._study.reclaim(is_over=True)

    def _evaluations(self) -> list[Trial]:
        """Not what was added from elsewhere, given up or lost; in the order in which they were handed out.

        That is not the order of their numbers: a point that was lost goes before one that was queued earlier.
        """
        is_one = ("pending", "complete", "failed")
        found = [trial for trial in self._study.trials if trial.state in is_one and trial.source != "added"]
        return sorted(found, key=lambda trial: -1 if trial.batch is None else trial.batch)

    def others_are_busy(self) -> bool:
        """Has somebody else points in hand that may yet be lost? To be asked when this run has none."""
        return any(trial.lease is not None for trial in self._study.pending)
