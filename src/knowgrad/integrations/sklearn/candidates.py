"""What a cross-validated search has tried and what it tries next, no candidate twice.

On the same folds a second evaluation of the same parameters gives the same score again, so it would teach nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from knowgrad.advisor.snapshot import Snapshot
from knowgrad.advisor.threads import one_thread
from knowgrad.integrations.indexed import Indexed
from knowgrad.space import Params, Space
from knowgrad.space.looks.graded import decisive, graded
from knowgrad.trial import Recommendation, Settings, Trial, within

CHANCE = 0.95
LISTABLE = 10_000  # points of a finite space that are counted one by one


class Tried:
    """A space and its trials; the ids of trials are their places among the candidates."""

    def __init__(self, indexed: Indexed, settings: Settings, n_iter: int) -> None:
        self._indexed, self._settings = indexed, settings
        self._size = different(indexed.space, n_iter + 1)
        self._trials: Sequence[Trial] = ()
        self.most = min(n_iter, self._size)
        """How many candidates to evaluate."""
        self.has_target = bool(graded(indexed.space.parameters))
        """Are some of them cheaper evaluations, which are not to be used?"""

    def decode(self, params: Params) -> Params:
        return self._indexed.decode(params)

    def tell(self, trials: Sequence[Trial]) -> None:
        """All trials so far."""
        self._trials = trials

    def next(self, q: int) -> list[Params]:
        """Up to q candidates to evaluate now. All of them, in the order of the lists, where none is to be left out."""
        if self.most == self._size and not self._trials:
            return self._indexed.every(LISTABLE)
        return untried(self._snapshot, min(q, self._size - len(self._trials)))

    def best(self) -> tuple[str, Recommendation] | None:
        """The id of the candidate with the best posterior mean, and what is recommended; None without a result."""
        snapshot = self._snapshot
        if not snapshot.complete:
            return None
        return best_by_model(snapshot), self._indexed.decoded(snapshot.recommendation)

    def within(self) -> list[int]:
        """Places of the candidates at the target of fidelities, if any, whose measured outcomes hold all limits."""
        complete = [trial for trial in self._trials if trial.state == "complete"]
        return [int(trial.id) for trial in within(decisive(complete, self._indexed.space), self._settings.limits)]

    @property
    def _snapshot(self) -> Snapshot:
        return Snapshot(self._indexed.space, self._trials, self._settings)


def different(space: Space, most: int) -> int:
    """How many different candidates there are, if fewer than `most`."""
    return most if space.size > LISTABLE else min(most, len(space.enumerate(LISTABLE)))


def untried(snapshot: Snapshot, q: int) -> list[Params]:
    """Up to q new candidates, at least one; there must be one left."""
    space, tried = snapshot.space, {_key(trial.params) for trial in snapshot.trials}
    if fresh := _fresh(snapshot.suggest(q).params, tried):
        return fresh
    allowed = space.feasible or (lambda params: True)
    left = Space(
        space.parameters,
        constraints=space.constraints,
        feasible=lambda params: _key(params) not in tried and allowed(params),
    )
    return _fresh(replace(snapshot, space=left).suggest(q).params, set())


@one_thread
def best_by_model(snapshot: Snapshot) -> str:
    """The id of the completed trial with the best posterior mean; with limits, of those that likely hold them."""
    if snapshot.settings.goals:
        found = snapshot.expect(snapshot.data.at("complete"))
        chance = np.ones(len(found)) if found.chance is None else found.chance
        likely = chance >= min(CHANCE, float(chance.max()))
        return snapshot.complete[int(np.argmax(np.where(likely, found.mean, -np.inf)))].id
    mean = np.mean([post.mean(snapshot.data.at("complete")) for post in snapshot.model.model], axis=0)
    at_target = {trial.id for trial in decisive(snapshot.complete, snapshot.space)}
    return min((m, i, t.id) for i, (m, t) in enumerate(zip(mean, snapshot.complete, strict=True)) if t.id in at_target)[
        2
    ]


def _fresh(params: Sequence[Params], tried: set[str]) -> list[Params]:
    by_key = {_key(one): one for one in params}
    return [one for key, one in by_key.items() if key not in tried]


def _key(params: Mapping[str, Any]) -> str:
    return repr(list(params.items()))  # as text, because 1 == True == 1.0
