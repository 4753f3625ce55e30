"""Ties: settings that the points of a batch share. At most `limit` different values of some columns occur in it.

symbol   name      shape     meaning
–        columns   (D,)      of the parameter that is shared
–        limit     ()        different values at most, those of `beside` included
–        beside    (h, D)    points that are handed out with the batch
–        among     (m, D)    points whose values the batch has to choose from, if it is not free to
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from knowgrad.gp.linalg import Array
from knowgrad.space.domain import Domain
from knowgrad.space.held import hold

MOST = 64  # combinations of values that a search goes through


@dataclass(frozen=True, eq=False)
class Tie:
    """One setting that is shared."""

    columns: NDArray[np.bool_]
    limit: int
    beside: Array
    among: Array | None = None
    """Points (m, D) with the values that the batch may have; None: any."""

    def values(self, batch: Array) -> Array:
        """Points (k, D) of the batch and beside it, one for each value of the columns."""
        points = np.vstack([self.beside, batch])
        _, first = np.unique(points[:, self.columns], axis=0, return_index=True)
        return points[np.sort(first)]

    def allowed(self, batch: Array) -> Array:
        """Points (k, D) with the values that one more point may have, where it cannot have any."""
        found = self.values(batch)
        return found if len(found) or self.among is None else self.among

    def binds(self, q: int) -> bool:
        """Can a batch of q points break it?"""
        return len(self.values(np.empty((0, len(self.columns))))) + q > self.limit


def binding(ties: Sequence[Tie], q: int) -> tuple[Tie, ...]:
    """Those that a batch of q points could break."""
    return tuple(tie for tie in ties if tie.binds(q))


def beside(ties: Sequence[Tie], rows: Array) -> tuple[Tie, ...]:
    """The ties of the rest of a batch, once these rows are chosen."""
    return tuple(replace(tie, beside=np.vstack([tie.beside, rows])) for tie in ties)


def are_kept(ties: Sequence[Tie], batch: Array) -> bool:
    """Has the batch no more different values than it may?"""
    return all(len(tie.values(batch)) <= max(tie.limit, len(tie.values(batch[:0]))) for tie in ties)


def held(domain: Domain, ties: Sequence[Tie], batch: Array, *, closed: bool = False) -> Domain:
    """Where one more point may lie: what has as many values as it may, or is `closed`, keeps to these."""
    full = [tie for tie in ties if closed or tie.among is not None or len(tie.values(batch)) >= tie.limit]
    if not full:
        return domain
    columns = np.any([tie.columns for tie in full], axis=0)
    rows = []
    for values in list(product(*(tie.allowed(batch) for tie in full)))[:MOST]:
        row = values[0].copy()
        for tie, value in zip(full, values, strict=True):
            row[tie.columns] = value[tie.columns]
        rows.append(row)
    return hold(domain, columns, np.array(rows))
