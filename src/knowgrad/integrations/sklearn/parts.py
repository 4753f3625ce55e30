"""What a search chooses from: one space, or one for each dict of a list. Each has trials and a model of its own.

A batch comes from the space whose best candidate is expected to be the best of all after it: posterior mean plus
knowledge gradient. Spaces that a model does not choose in yet come first, those with the fewest trials before others.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from knowgrad.advisor.snapshot import Snapshot
from knowgrad.integrations.indexed import Indexed
from knowgrad.integrations.sklearn.candidates import LISTABLE, best_by_model, different, untried
from knowgrad.space import Params
from knowgrad.trial import Recommendation, Settings, Trial

Candidate = tuple[int, Params]  # the number of its space, and its params there


class Parts:
    """The spaces, and what was tried in each."""

    def __init__(self, spaces: Sequence[Indexed], settings: Settings, n_iter: int) -> None:
        self.spaces, self._settings = spaces, settings
        self._sizes = [different(each.space, n_iter + 1) for each in spaces]
        self._trials: list[list[Trial]] = [[] for _ in spaces]
        self.most = min(n_iter, sum(self._sizes))
        """How many candidates to evaluate."""

    def decode(self, candidate: Candidate) -> Params:
        part, params = candidate
        return self.spaces[part].decode(params)

    def tell(self, trials: Sequence[tuple[int, Trial]]) -> None:
        """All trials so far, each with the number of its space."""
        self._trials = [[trial for part, trial in trials if part == i] for i in range(len(self.spaces))]

    def next(self, q: int) -> list[Candidate]:
        """Up to q candidates to evaluate now. All of them, in the order of the lists, where none is to be left out."""
        if self.most == sum(self._sizes) and not any(self._trials):
            every = [each.space for each in self.spaces]
            return [(i, space.decode(u)) for i, space in enumerate(every) for u in space.enumerate(LISTABLE)]
        options = []
        for i, (snapshot, size) in enumerate(zip(self._snapshots(), self._sizes, strict=True)):
            if left := size - len(snapshot.trials):
                batch, gain = untried(snapshot, min(q, left))
                options.append((_promise(snapshot, gain), -i, batch))
        _, part, batch = max(options, key=lambda option: option[:2])
        return [(-part, params) for params in batch]

    def best(self) -> tuple[str, Recommendation] | None:
        """The id of the candidate with the best posterior mean, and what is recommended; None without a result."""
        known = [(i, snapshot) for i, snapshot in enumerate(self._snapshots()) if snapshot.complete]
        if not known:
            return None
        _, likely = max(best_by_model(snapshot) for _, snapshot in known)
        found = (self.spaces[i].decoded(snapshot.recommendation) for i, snapshot in known)
        return likely, max(found, key=lambda each: each.mean)

    def _snapshots(self) -> list[Snapshot]:
        pairs = zip(self.spaces, self._trials, strict=True)
        return [Snapshot(each.space, trials, self._settings) for each, trials in pairs]


def _promise(snapshot: Snapshot, gain: float | None) -> tuple[float, int]:
    """What its best is expected to be after a batch."""
    if gain is None or not snapshot.complete:
        return math.inf, -len(snapshot.trials)
    return best_by_model(snapshot)[0] + gain, 0
