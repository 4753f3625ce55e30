"""The points that run now, or would be tried next: where they lie, and what each adds to the batch.

    gain of the first k points:  q-KG(z^(1:k)) = min μ^(n) − E[min μ^(n+k)]
    what the k-th adds:          q-KG(z^(1:k)) − q-KG(z^(1:k−1))

All on the same samples, so the increments add up to the gain of the batch, and noise common to both cancels.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from knowgrad.acquisition.criteria.lookahead import Lookahead
from knowgrad.acquisition.criteria.normals import normals
from knowgrad.acquisition.methods.qkg import QKG
from knowgrad.acquisition.problem import Question
from knowgrad.acquisition.search.worth import per_sample
from knowgrad.advisor.snapshot import Snapshot
from knowgrad.advisor.threads import one_thread
from knowgrad.gp.linalg import Array

SAMPLES = 128
MOST = 32  # points that are valued one by one


@dataclass(frozen=True, slots=True)
class Point:
    """One point of a batch. What it adds to those before it is None while there is no model."""

    label: str
    params: Mapping[str, Any]
    trial: int | None
    mean: float | None
    sd: float | None
    adds: float | None
    sem: float | None


@dataclass(frozen=True, slots=True)
class Batch:
    """`running`: the points are pending trials; else they are what `ask` would hand out next."""

    running: bool
    points: tuple[Point, ...]


def batch(snapshot: Snapshot, *, q: int = 4) -> Batch:
    """The pending points in the order they were asked for (the first 32), or else the next `q`."""
    pending = [trial for trial in snapshot.trials if trial.state == "pending"][:MOST]
    if pending:
        params: list[Mapping[str, Any]] = [trial.params for trial in pending]
        names = [f"trial {trial.number}" for trial in pending]
        numbers: list[int | None] = [trial.number for trial in pending]
    else:
        params = list(snapshot.suggest(q).params)
        names, numbers = [f"next {i + 1}" for i in range(q)], [None] * q
    if not snapshot.complete:
        nothing = ((name, p, t, None, None, None, None) for name, p, t in zip(names, params, numbers, strict=True))
        return Batch(bool(pending), tuple(Point(*each) for each in nothing))
    U = snapshot.space.encode_many(params)
    mean, sd = snapshot.predict(U)
    adds, sem = increments(snapshot, U)
    rows = zip(names, params, numbers, mean.tolist(), sd.tolist(), adds.tolist(), sem.tolist(), strict=True)
    return Batch(bool(pending), tuple(Point(*row) for row in rows))


@one_thread
def increments(snapshot: Snapshot, W: Array) -> tuple[Array, Array]:
    """What each row of W (q, D) adds to those before it, and the standard error of that, in user units."""
    found, nothing = snapshot.model, np.empty((0, W.shape[1]))
    domain, rng = found.searched(snapshot.domain()), snapshot.rng(4)
    question = Question(found.model, found.noise, domain, nothing, len(W))
    sets, _ = QKG().prepare(question, rng)
    Zq = normals(SAMPLES, len(W), rng)
    each = []
    for post, noise, A in zip(found.model, found.noise, sets, strict=True):
        totals = [np.zeros(SAMPLES)]
        for k in range(1, len(W) + 1):
            ahead = Lookahead(post, noise, A, W[: k - 1])
            totals.append(per_sample(ahead, W[k - 1 : k], Zq[:, :k], domain))
        each.append(np.diff(totals, axis=0))
    gained = np.mean(each, axis=0)  # over the posteriors (q, SAMPLES)
    scale = snapshot.spread
    return scale * gained.mean(axis=1), scale * gained.std(axis=1) / np.sqrt(SAMPLES)
