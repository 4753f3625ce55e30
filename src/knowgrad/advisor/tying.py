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
from knowgrad.space.held import Held, hold

SAMPLES, VALUES = 64, 8  # points that are looked at for a second value of what is shared, and values to choose from


def ties_of(moment: Moment, shared: Mapping[str, int]) -> tuple[Tie, ...]:
    """What is shared, as columns. Queued points that are handed out with the batch count: pending, but of no batch."""
    if not shared:
        return ()
    with_it = [trial.state == "pending" and trial.batch is None for trial in moment.trials]
    points = moment.data.points[with_it]
    return tuple(Tie(columns_of(moment.space, name), limit, points) for name, limit in shared.items())


def tied_rows(rows: Array, domain: Domain, ties: tuple[Tie, ...], tried: Array, rng: np.random.Generator) -> Array:
    """The rows, with the shared columns moved to the nearest of as many values as may be, spread over theirs and far
    from what was tried."""
    ties = binding(ties, len(rows))
    if ties and domain.listed is not None:
        first = rows[:0] if len(ties[0].beside) else _values(ties[0], rows, tried)[:1]
        after = rows[~(rows[:, None] == first).all(axis=2).any(axis=1)]
        return _of_the_list(np.vstack([first, after])[: len(rows)], domain, ties)
    tied = rows.copy()
    for tie in ties:
        values = _values(tie, rows, tried)
        gaps = np.square(rows[:, None, tie.columns] - values[:, tie.columns]).sum(axis=2)
        tied[:, tie.columns] = values[np.argmin(gaps, axis=1)][:, tie.columns]
    if not ties or domain.is_unconstrained:
        return tied
    for i in np.flatnonzero(~domain.contains(tied)):
        tied[i] = held(domain, ties, np.delete(tied, i, axis=0)).sample(1, rng)[0]
    return tied


def _of_the_list(rows: Array, domain: Domain, ties: tuple[Tie, ...]) -> Array:
    """In place of each row the nearest of the list that may come after those before it, and was not taken yet."""
    chosen = rows[:0]
    for row in rows:
        where = held(domain, ties, chosen)
        if isinstance(where, Held):
            listed = where.enumerate(0)
            new = listed[~(listed[:, None] == chosen).all(axis=2).any(axis=1)]
            listed = new if len(new) else listed
            row = listed[np.argmin(np.square(listed - row).sum(axis=1))]
        chosen = np.vstack([chosen, row])
    return chosen


def _values(tie: Tie, rows: Array, tried: Array) -> Array:
    """Points whose values are kept: those beside the batch, then of the rows always the farthest from those before.

    The very first is the middle one, if it is to be the only one of its batch.
    """
    kept = tie.values(rows[:0])
    while len(kept) < tie.limit:
        known = np.vstack([kept, tried])[:, tie.columns]
        if len(known):
            gaps = np.square(rows[:, None, tie.columns] - known).sum(axis=2).min(axis=1)
            if len(kept) and gaps.max() == 0.0:
                break
            kept = np.vstack([kept, rows[np.argmax(gaps)]])
        else:
            away = np.square(rows[:, tie.columns] - rows[:, tie.columns].mean(axis=0)).sum(axis=1)
            first = int(np.argmin(away)) if tie.limit == 1 else 0
            kept = rows[first : first + 1]
    return kept


def elsewhere(ties: tuple[Tie, ...], domain: Domain, q: int, tried: Array, rng: np.random.Generator) -> tuple[Tie, ...]:
    """The ties of a batch of q points: if it has one value, and all that was tried has one too, at values far from it.

    What a setting does can be told only from two values. q-KG looks one batch ahead, and does not count what later
    batches gain by knowing it.
    """
    found = []
    for tie in binding(ties, q):
        found.append(tie)
        different = np.unique(tried[:, tie.columns], axis=0)
        if tie.limit > 1 or len(tie.beside) or len(different) != 1:
            continue
        samples = domain.sample(SAMPLES, rng)
        gaps = np.square(samples[:, tie.columns] - different[0]).sum(axis=1)
        far = samples[gaps >= gaps.max() / 4.0]  # at least half as far as can be
        if gaps.max() > 0.0:
            first = np.unique(far[:, tie.columns], axis=0, return_index=True)[1]
            spread = np.linspace(0, len(first) - 1, min(VALUES, len(first))).astype(int)
            found[-1] = replace(tie, among=far[first[spread]])
    return tuple(found)


def alike(domain: Domain, ties: tuple[Tie, ...], u: Array) -> Domain:
    """The domain with the shared settings of u."""
    if not ties:
        return domain
    return hold(domain, np.any([tie.columns for tie in ties], axis=0), u[None])
