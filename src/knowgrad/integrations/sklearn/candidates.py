"""The next candidates of a cross-validated search, none of them twice, and the best of those there are.

On the same folds a second evaluation of the same parameters gives the same score again, so it would teach nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from knowgrad.acquisition.methods import resolve
from knowgrad.advisor.suggest import suggest
from knowgrad.advisor.threads import one_thread
from knowgrad.model.fitted import chosen_fit, fitted
from knowgrad.space import Params, Space
from knowgrad.trial import Settings, Trial

LISTABLE = 10_000  # points of a finite space that are counted one by one


def different(space: Space, most: int) -> int:
    """How many different candidates there are, if fewer than `most`."""
    return most if space.size > LISTABLE else min(most, len(space.enumerate(LISTABLE)))


def untried(space: Space, trials: Sequence[Trial], q: int, settings: Settings) -> list[Params]:
    """Up to q new candidates, at least one; there must be one left."""
    tried = {_key(trial.params) for trial in trials}
    fresh = _fresh(suggest(space, trials, q, settings).params, tried)
    if fresh:
        return fresh
    allowed = space.feasible or (lambda params: True)
    left = Space(
        space.parameters,
        constraints=space.constraints,
        feasible=lambda params: _key(params) not in tried and allowed(params),
    )
    return _fresh(suggest(left, trials, q, settings).params, set())


@one_thread
def best_by_model(space: Space, trials: Sequence[Trial], settings: Settings) -> int:
    """The index of the completed trial with the best posterior mean."""
    found = fitted(space, trials, settings, chosen_fit(settings, resolve(settings.method).fit))
    done = [i for i, trial in enumerate(trials) if trial.state == "complete"]
    U = space.encode_many([trials[i].params for i in done])
    return done[int(np.argmin(np.mean([post.mean(U) for post in found.model], axis=0)))]


def _fresh(params: Sequence[Params], tried: set[str]) -> list[Params]:
    by_key = {_key(one): one for one in params}
    return [one for key, one in by_key.items() if key not in tried]


def _key(params: Mapping[str, Any]) -> str:
    return repr(list(params.values()))  # as text, because 1 == True == 1.0
