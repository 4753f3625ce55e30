"""The next candidates of a cross-validated search, none of them twice, and the best of those there are.

On the same folds a second evaluation of the same parameters gives the same score again, so it would teach nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from knowgrad.advisor.snapshot import Snapshot
from knowgrad.advisor.threads import one_thread
from knowgrad.space import Params, Space

LISTABLE = 10_000  # points of a finite space that are counted one by one


def different(space: Space, most: int) -> int:
    """How many different candidates there are, if fewer than `most`."""
    return most if space.size > LISTABLE else min(most, len(space.enumerate(LISTABLE)))


def untried(snapshot: Snapshot, q: int) -> tuple[list[Params], float | None]:
    """Up to q new candidates, at least one, and their gain if a model chose them; there must be one left."""
    space, tried = snapshot.space, {_key(trial.params) for trial in snapshot.trials}
    found = snapshot.suggest(q)
    if fresh := _fresh(found.params, tried):
        return fresh, found.gain
    allowed = space.feasible or (lambda params: True)
    left = Space(
        space.parameters,
        constraints=space.constraints,
        feasible=lambda params: _key(params) not in tried and allowed(params),
    )
    found = replace(snapshot, space=left).suggest(q)
    return _fresh(found.params, set()), found.gain


@one_thread
def best_by_model(snapshot: Snapshot) -> tuple[float, str]:
    """The best posterior mean among the completed trials, in user units, and the id of that trial."""
    mean = np.mean([post.mean(snapshot.data.at("complete")) for post in snapshot.model.model], axis=0)
    best = int(np.argmin(mean))
    return float(snapshot.model.units.value(mean[best])), snapshot.complete[best].id


def _fresh(params: Sequence[Params], tried: set[str]) -> list[Params]:
    by_key = {_key(one): one for one in params}
    return [one for key, one in by_key.items() if key not in tried]


def _key(params: Mapping[str, Any]) -> str:
    return repr(list(params.values()))  # as text, because 1 == True == 1.0
