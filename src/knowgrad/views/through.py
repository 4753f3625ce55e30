"""The point that a cut goes through: the recommendation, or the best point that has the parameters in question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from knowgrad.advisor.snapshot import Snapshot
from knowgrad.errors import ArgumentError
from knowgrad.text import shown

SAMPLES = 4_096  # points among which one with rare parameters is looked for


def through(snapshot: Snapshot, *names: str, at: Mapping[str, Any] | None = None) -> tuple[Mapping[str, Any], float]:
    """Params that have all these parameters, and the posterior mean there.

    The recommendation if it has them; else the result that has them with the best posterior mean; else, where nothing
    with them was tried, any point of the space that has them. `at`: params instead of the recommendation.
    """
    if at is not None and all(name in at for name in names):
        return at, float(snapshot.predict(snapshot.space.encode_many([at]))[0][0])
    best = snapshot.recommendation
    place = snapshot.place
    if all(name in place for name in names):
        return place, best.mean
    space, U = snapshot.space, snapshot.data.at("complete")
    U = U[space.has(U, *names)]
    if not len(U):
        U = space.sample(SAMPLES, snapshot.rng(7))
        U = U[space.has(U, *names)]
    if not len(U):
        raise ArgumentError(
            f"parameters: expected some that exist together, got {shown(list(names))}, which do not; choose others"
        )
    mean, _ = snapshot.predict(U)
    i = int(np.argmin(snapshot.sign * mean))
    return space.decode(U[i]), float(mean[i])
