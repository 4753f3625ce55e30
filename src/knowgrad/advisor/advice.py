"""What to make of the numbers of a `Diagnostics`: warnings in plain words, each with its consequence and a remedy."""

import math
from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import islice

from knowgrad.advisor.diagnostics import Diagnostics, LeaveOneOut

LEAST = 4  # results that can say anything about a model
FAR = 4.0  # standard deviations


def judged(numbers: Diagnostics) -> Diagnostics:
    """With the warnings; trusted if none of them is serious."""
    serious, minor = tuple(_serious(numbers)), tuple(_minor(numbers))
    return replace(numbers, warnings=(*serious, *minor), trusted=not serious)


def _serious(numbers: Diagnostics) -> Iterator[str]:
    """What speaks against trusting the model."""
    n = numbers.n_observed
    if n < LEAST:
        yield f"Too little data ({n} of at least {LEAST} results): the model is mostly its prior; tell more results."
    elif numbers.loo is None:
        yield (
            f"All {n} results are the same: there is nothing to learn from yet; widen the ranges of the parameters, "
            "or check that the objective depends on them."
        )
    else:
        yield from _misfits(n, numbers.loo)


def _misfits(n: int, loo: LeaveOneOut) -> Iterator[str]:
    """Where predictions and results disagree by more than chance explains."""
    if loo.r2 < 0.1:
        yield (
            f"The model explains almost none of the variation (leave-one-out R² {loo.r2:.2f}): suggestions are little "
            "better than chance; tell more results, reduce the noise, or leave out parameters that do nothing."
        )
    elif loo.log_density < loo.constant_log_density:
        yield (
            "The model predicts worse than the plain average of the results (by log density): its uncertainty misleads "
            "the search; look for outliers, or try the logarithm of the objective."
        )
    if loo.outliers:
        lie = "1 result lies" if len(loo.outliers) == 1 else f"{len(loo.outliers)} results lie"
        yield (
            f"{lie} more than {FAR:.0f} standard deviations from what the others predict ({_trials(loo.outliers)}): "
            f"that distorts the model, its recommendation and its expected gain. Check for mistakes: "
            f"{_remedy(loo.outliers[0])}; if a result is right but uncertain, tell it with its standard error (sem)."
        )
    if loo.inside_90 < 0.9 - 3.0 * math.sqrt(0.09 / n):  # three standard deviations of a share of n
        yield (
            f"Only {loo.inside_90:.0%} of the results are inside their 90 % interval: the model is too sure of itself "
            'and explores too little; try fit="bayes", or noise="learned" if the noise was given.'
        )


def _minor(numbers: Diagnostics) -> Iterator[str]:
    """What is good to know."""
    if numbers.loo is not None and min(scale.value for scale in numbers.length_scales.values()) > 1.0:
        yield (
            "All length scales are longer than the range: the model sees a plain slope or bowl, whose optimum "
            "may lie on the border or beyond; widen the ranges if you can."
        )
    if numbers.loo is not None and numbers.noise_sd >= numbers.signal_sd:
        yield (
            f"Noise is about as large as the signal (sd {numbers.noise_sd:.2g} and {numbers.signal_sd:.2g}): single "
            "results say little; average several runs, and rely on recommend(), not on the best result."
        )
    if numbers.n_modelled is not None and numbers.n_modelled < numbers.n_observed:
        yield (
            f"The model rests on {numbers.n_modelled:,} of {numbers.n_observed:,} results: those around the best, the "
            "latest, and some of all others; far from the best it is less precise than all results would allow."
        )
    if numbers.fallbacks:
        yield (
            f"No model chose {_trials(numbers.fallbacks)}: such points cover the space at random; "
            "the reason is in each trial's source."
        )
    if numbers.n_failed > numbers.n_observed:
        yield (
            f"More trials failed than succeeded ({numbers.n_failed} against {numbers.n_observed}): the search keeps "
            "away from where they failed and may miss the best; find out why, or exclude that region by a constraint."
        )


def _remedy(number: int) -> str:
    return (
        f"study.correct({number}, value) or `knowgrad correct {number} VALUE` corrects a value, "
        f"study.discard({number}, reason) or `knowgrad discard {number} REASON` takes it out of the model"
    )


def _trials(numbers: Collection[int], most: int = 8) -> str:
    text = ", ".join(str(number) for number in islice(numbers, most)) + (", …" if len(numbers) > most else "")
    return f"{'trial' if len(numbers) == 1 else 'trials'} {text}"
