"""Several outcomes as several studies: of each outcome a plain one, over the same points.

To the study of one outcome a trial is complete when that outcome is in, and pending while it is waited for. A trial at
which it is not measured counts, but says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from knowgrad.advisor.about import About
from knowgrad.advisor.moment import Moment
from knowgrad.errors import NoDataError
from knowgrad.gp.linalg import Array
from knowgrad.model.fitted import Fitted, mean_and_sd
from knowgrad.outcomes import NOTHING, Limit
from knowgrad.space.domain import Domain
from knowgrad.text import shown
from knowgrad.trial import Settings, Trial


@dataclass(frozen=True, eq=False)
class Parts:
    """The study of each outcome by its name, which of them are objectives, and the limits."""

    each: Mapping[str, Moment]
    objectives: tuple[str, ...]
    limits: tuple[Limit, ...] = ()
    where: Domain | None = None
    """Where points may lie, if some parameters are given."""
    holds: Callable[[Trial], bool] | None = None
    """Does a trial lie there?"""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.each)

    def place(self, name: str) -> int:
        return self.names.index(name)

    @property
    def first(self) -> Moment:
        """The study of the first objective, which also says where trials fail."""
        return self.each[self.objectives[0]]

    def within(self, subject: About, domain: Domain) -> Parts:
        """The same where points may lie in this domain only."""
        return replace(self, where=domain, holds=subject.holds) if subject.contexts else self

    def inside(self, trials: Iterable[Trial]) -> NDArray[np.bool_]:
        """Which of the trials lie where points may lie (n,)."""
        return np.array([self.holds is None or self.holds(trial) for trial in trials], dtype=bool)

    @property
    def fits(self) -> list[Fitted]:
        return [part.model for part in self.each.values()]

    @property
    def have_results(self) -> bool:
        """Has every outcome been measured?"""
        return all(part.complete for part in self.each.values())

    def check_results(self, question: str) -> None:
        if missing := [name for name, part in self.each.items() if not part.complete]:
            raise NoDataError(
                f"{question}: expected at least one result of every outcome, got none of {shown(missing)}; tell() one"
            )

    @property
    def tried(self) -> Array:
        """All points where some outcome was measured; with given parameters, the points there that are next to them."""
        points = np.unique(np.vstack([fit.observed[0].X for fit in self.fits]), axis=0)
        if self.where is None:
            return points
        moved = self.where.snap(self.where.project(points))
        moved = np.unique(moved[self.where.contains(moved)], axis=0)
        return moved if len(moved) else self.where.sample(1, np.random.default_rng(0))

    def turned(self, U: Array) -> Array:
        """The objectives' posterior means at the rows of U (u, m), in user units, turned so that less is better."""
        fits = [self.each[name].model for name in self.objectives]
        return np.stack([fit.units.turned(mean_and_sd(fit.model, U)[0])[0] for fit in fits], axis=1)

    def deviations(self, U: Array) -> Array:
        """The objectives' standard deviations at the rows of U (u, m), in user units."""
        return np.stack([self.each[name].model.predict(U)[1] for name in self.objectives], axis=1)


def parts_of(moment: Moment, before: Parts | None = None) -> Parts:
    """The parts of a study; what the parts `before` it know already is kept."""
    settings = moment.settings
    found = {}
    for name in settings.outcomes:
        trials = tuple(_of_outcome(trial, name) for trial in moment.trials)
        part = type(moment)(moment.space, (), _settings(settings, name)) if before is None else before.each[name]
        found[name] = part.given(trials)
    return Parts(found, tuple(name for name, _ in settings.objectives), settings.limits)


def informative(moment: Moment) -> int:
    """How many trials have told something: some outcome of theirs is in."""
    return sum(bool(trial.outcomes) for trial in moment.trials if trial.state in ("complete", "pending"))


def waiting(trials: Sequence[Trial], names: Sequence[str]) -> NDArray[np.bool_]:
    """Which outcomes the pending trials are waiting for (p, K)."""
    rows = [[_is_waiting(trial, name) for name in names] for trial in trials if trial.state == "pending"]
    return np.array(rows, dtype=bool).reshape(-1, len(names))


def _is_waiting(trial: Trial, name: str) -> bool:
    return name not in trial.outcomes and (trial.measure is None or name in trial.measure)


def _of_outcome(trial: Trial, name: str) -> Trial:
    """The trial as the study of this outcome sees it."""
    plain = trial.but(outcomes=NOTHING, measure=None, history=())
    if trial.state in ("failed", "discarded"):
        return plain
    if name in trial.outcomes:
        value, sem = trial.outcomes[name]
        return plain.but(state="complete", value=value, sem=sem)
    asked = trial.state == "pending" and _is_waiting(trial, name)
    return plain.but(state="pending" if asked else "discarded", value=None, sem=None)


def _settings(settings: Settings, name: str) -> Settings:
    """Those of the plain study of one outcome; one that only has a limit is better the safer it is."""
    safer = {limit.outcome: "minimize" if limit.sense == "<=" else "maximize" for limit in reversed(settings.limits)}
    objectives = dict(settings.objectives)
    noise = dict(settings.noises).get(name, settings.noise)
    plain = replace(settings, direction={**safer, **objectives}[name], noise=noise)
    own = () if name in objectives else tuple(limit for limit in settings.limits if limit.outcome == name)
    return replace(plain, objectives=(), limits=own, costs=(), noises=())
