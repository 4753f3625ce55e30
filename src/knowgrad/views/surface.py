"""The value of one more measurement at every point: the q-KG surface of a single point.

Exact while nothing is running. With points running it is what one more point adds to them, on common samples; of more
than 16 running points the others count as measured. The set A that stands for the domain is the one q-KG starts from,
so values are a little below those of a finished search.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from knowgrad.acquisition.criteria.normals import normals
from knowgrad.acquisition.methods.qkg import QKG
from knowgrad.acquisition.problem import Question
from knowgrad.acquisition.search.batch import Average
from knowgrad.acquisition.search.greedy import believe
from knowgrad.acquisition.search.worth import factors
from knowgrad.advisor.snapshot import Snapshot
from knowgrad.advisor.threads import one_thread
from knowgrad.gp.linalg import Array
from knowgrad.views.axis import Axis, axis_of, number
from knowgrad.views.slices import CELLS, LINE, having, known, line, mesh, rows
from knowgrad.views.through import through

SAMPLES = 64
JOINT = 16  # running points valued together with the new one
CHUNK = 256  # points valued at a time, for memory


@dataclass(frozen=True, slots=True)
class Surface:
    """`value[j][i]` is the worth of a measurement at `x[i]`, `y[j]`, in user units; one row if there is no second
    parameter."""

    axes: tuple[Axis, ...]
    x: tuple[float, ...]
    y: tuple[float, ...]
    value: tuple[tuple[float | None, ...], ...]
    at: tuple[float, ...]
    running: tuple[tuple[float, ...], ...]


def surface(snapshot: Snapshot, x: str, y: str | None = None) -> Surface:
    """Along one parameter, or over two; the others stay as recommended."""
    if y is None:
        known(snapshot, x)
        (xs, U, inside), ys = line(snapshot, x, LINE), np.empty(0)
    else:
        xs, ys, U, inside = mesh(snapshot, x, y, CELLS)
    names = [x] if y is None else [x, y]

    def place(params: Mapping[str, Any]) -> tuple[float, ...]:
        return tuple(number(snapshot.space, name, params[name]) for name in names)

    return Surface(
        axes=tuple(axis_of(snapshot.space, name) for name in names),
        x=tuple(xs.tolist()),
        y=tuple(ys.tolist()),
        value=rows(knowledge_gradient(snapshot, U), inside, len(xs)),
        at=place(through(snapshot, *names)[0]),
        running=tuple(place(t.params) for t in having(snapshot.trials, *names) if t.state == "pending"),
    )


@one_thread
def knowledge_gradient(snapshot: Snapshot, U: Array) -> Array:
    """What a measurement at each row of U (n, D) adds to those that are running, in user units."""
    found = snapshot.model
    domain, rng, running = found.searched(snapshot.domain()), snapshot.rng(5), snapshot.data.at("pending")
    pending, others = running[:JOINT], running[JOINT:]
    p = len(pending)
    question = Question(believe(found.model, found.noise, others), found.noise, domain, pending, 1)
    sets, _ = QKG().prepare(question, rng)
    Zq = normals(SAMPLES, p + 1, rng)
    joint = Average(factors(question, sets, pending, Zq))
    values = np.concatenate([joint.value(part[:, None]) for part in np.array_split(U, len(U) // CHUNK + 1)])
    if p:
        alone = Average(factors(question, sets, pending[:-1], Zq[:, :p]))
        values = values - alone.value(pending[None, -1:])[0]
    return np.asarray(snapshot.spread * np.maximum(values, 0.0))
