"""Settings that the points of a batch share, as columns, and where no model chooses the points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from knowgrad.acquisition.ties import Tie, binding, held
from knowgrad.advisor.moment import Moment
from knowgrad.gp.linalg import Array
from knowgrad.space.contexts import columns_of
from knowgrad.space.domain import Domain
from knowgrad.space.held import Held


def ties_of(moment: Moment, shared: Mapping[str, int]) -> tuple[Tie, ...]:
    """What is shared, as columns. Queued points that are handed out with the batch count: pending, but of no batch."""
    if not shared:
        return ()
    with_it = [trial.state == "pending" and trial.batch is None for trial in moment.trials]
    points = moment.data.points[with_it]
    return tuple(Tie(columns_of(moment.space, name), limit, points) for name, limit in shared.items())


def beside(ties: tuple[Tie, ...], rows: Array) -> tuple[Tie, ...]:
    """The ties of the rest of a batch, once these rows are chosen."""
    return tuple(replace(tie, beside=np.vstack([tie.beside, rows])) for tie in ties)


def tied_rows(rows: Array, domain: Domain, ties: tuple[Tie, ...], rng: np.random.Generator) -> Array:
    """The rows, with the shared columns moved to the nearest of as many values as may be, spread over theirs."""
    ties = binding(ties, len(rows))
    tied = rows.copy()
    for tie in ties:
        values = _values(tie, rows)
        gaps = np.square(rows[:, None, tie.columns] - values[:, tie.columns]).sum(axis=2)
        tied[:, tie.columns] = values[np.argmin(gaps, axis=1)][:, tie.columns]
    if not ties or domain.is_unconstrained:
        return tied
    for i in np.flatnonzero(~domain.contains(tied)):
        tied[i] = held(domain, ties, np.delete(tied, i, axis=0)).sample(1, rng)[0]
    return tied


def _values(tie: Tie, rows: Array) -> Array:
    """Points whose values are kept: those beside the batch, then of the rows always the farthest from those before."""
    kept = tie.values(rows[:0])
    while len(kept) < tie.limit:
        if not len(kept):
            kept = rows[:1]
            continue
        gaps = np.square(rows[:, None, tie.columns] - kept[:, tie.columns]).sum(axis=2).min(axis=1)
        if gaps.max() == 0.0:
            break
        kept = np.vstack([kept, rows[np.argmax(gaps)]])
    return kept


def alike(domain: Domain, ties: tuple[Tie, ...], u: Array) -> Domain:
    """The domain with the shared settings of u."""
    if not ties:
        return domain
    return Held(domain, np.any([tie.columns for tie in ties], axis=0), u[None])
