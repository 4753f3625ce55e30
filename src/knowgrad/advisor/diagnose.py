"""From trials to `Diagnostics`: what the model believes, and how well it predicts each result from the others."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from knowgrad.advisor.advice import FAR, LEAST, judged
from knowgrad.advisor.diagnostics import Diagnostics, LeaveOneOut, LengthScale
from knowgrad.advisor.moment import Moment
from knowgrad.advisor.threads import one_thread
from knowgrad.gp.kernel import Kernel, base_of
from knowgrad.gp.linalg import Array
from knowgrad.gp.loo import constant_density, mixture
from knowgrad.gp.posterior import Model
from knowgrad.model.data import known_sd
from knowgrad.model.fitted import Fitted, kind_of
from knowgrad.model.outliers import outliers
from knowgrad.model.sources import SourceNoise
from knowgrad.space import Source, Space, graded
from knowgrad.space.directions import across
from knowgrad.text import brief
from knowgrad.trial import Trial, value_of

HALF, MOST = 0.6744897501960817, 1.6448536269514722  # of a normal distribution, half and nine tenths within these


@one_thread
def diagnose(moment: Moment) -> Diagnostics:
    """At least one trial must be complete."""
    space, trials, found = moment.space, moment.trials, moment.model
    done = found.done
    enough = len(done) >= LEAST and bool(np.ptp(found.observed[0].y) > 0.0)
    values = np.array([value_of(trial) for trial in done])
    if found.bias is not None:  # what is modelled is without it
        values = values - found.bias(found.observed[0].X)
    noise, interval = _noise(moment, found)
    difference, loud = found.units.difference, found.units.noise(values)
    numbers = Diagnostics(
        n_observed=len(moment.complete),
        n_failed=sum(trial.state == "failed" for trial in trials),
        fit=moment.how,
        length_scales=length_scales(space, found.observed),
        signal_sd=difference(math.sqrt(np.mean([post.s2 for post in found.observed]))),
        noise_sd=noise * loud,
        noise_interval=None if interval is None else (interval[0] * loud, interval[1] * loud),
        loo=_leave_one_out(moment, done, values) if enough else None,
        n_modelled=len(done),
        source_noises={name: sd * loud for name, sd in _source_noises(moment, found).items()},
        fallbacks={trial.number: trial.source for trial in trials if trial.source.startswith("random:")},
    )
    return judged(numbers)


def _leave_one_out(moment: Moment, done: Sequence[Trial], values: Array) -> LeaveOneOut:
    found, numbers = moment.model, [trial.number for trial in done]
    y = found.units.standardise(values)  # gross errors as they are, not as they count to the model
    mean, variance, density = mixture(found.observed)
    z = (y - mean) / np.sqrt(variance)
    slope = float(found.units.log_slope(values).mean())
    return LeaveOneOut(
        z={number: float(found.units.sign * each) for number, each in zip(numbers, z, strict=True)},
        r2=float(1.0 - ((y - mean) ** 2).sum() / ((y - y.mean()) ** 2).sum()),
        inside_50=float(np.mean(np.abs(z) <= HALF)),
        inside_90=float(np.mean(np.abs(z) <= MOST)),
        log_density=float(density.mean()) + slope,
        constant_log_density=float(constant_density(y).mean()) + slope,
        outliers=tuple(
            numbers[i] for i in sorted({*np.flatnonzero(np.abs(z) > FAR), *_mistakes(moment, done, values)})
        ),
    )


def _mistakes(moment: Moment, done: Sequence[Trial], values: Array) -> list[int]:
    """The indices of results that a model of the others would not have expected at all."""
    settings, groups = moment.settings, moment.space.groups
    sd = np.array([known_sd(trial, settings.noise) for trial in done])
    kind = kind_of(moment.space, settings)
    return outliers(moment.model.observed[0].X, values, sd, groups, settings.direction, moment.how, kind)


def length_scales(space: Space, model: Model) -> dict[str, LengthScale]:
    """By parameter, the geometric mean over the posteriors."""
    ell = np.exp(np.mean([np.log(post.ell) for post in model], axis=0))
    found = {name: 1.0 / float(np.linalg.norm(across(space, name) / ell)) for name in space.seen}
    return {name: LengthScale(length, _relevance(length, base_of(model[0].kernel))) for name, length in found.items()}


def _relevance(ell: float, kernel: Kernel) -> float:
    across: Array = kernel(np.zeros((1, 1)), np.ones((1, 1)), np.array([ell]))[0]
    return 1.0 - float(across[0, 0])


def _source_noises(moment: Moment, found: Fitted) -> dict[str, float]:
    """The standard deviation of each source, standardised, if they were learned apart."""
    first = found.noise[0]
    if not isinstance(first, SourceNoise):
        return {}
    rows = np.repeat(found.observed[0].X[:1], len(first.sources), axis=0)
    rows[:, first.columns] = first.sources
    sds = np.sqrt(np.mean([noise(rows)[0] for noise in found.noise], axis=0))
    names = [name for name, kind in graded(moment.space.parameters).items() if isinstance(kind, Source)]
    each = [moment.space.decode(row) for row in rows]
    said = [", ".join(f"{name} = {brief(params[name])}" for name in names) for params in each]
    return dict(zip(said, map(float, sds), strict=True))


def _noise(moment: Moment, found: Fitted) -> tuple[float, tuple[float, float] | None]:
    """Standard deviation, and its interval if it was learned; standardised."""
    if not np.isnan(found.known).any():
        return float(np.sqrt(np.mean(found.known))), None
    sd = float(np.sqrt(np.mean([post.noise for post in found.observed])))
    low, high = moment.noise_interval()
    return sd, (min(low, sd), max(high, sd))
