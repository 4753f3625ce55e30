"""`Diagnostics`: how far the model of a study can be trusted, as numbers and in words."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from knowgrad.text import brief_repr, one_line

FITS = {"map": "maximum a posteriori", "mle": "maximum likelihood", "bayes": "averaged over their posterior"}


@dataclass(frozen=True, slots=True)
class LengthScale:
    """How far one has to go along a parameter for the value to change."""

    value: float
    """In the unit of the parameter's range: 1.0 is the whole range."""
    relevance: float
    """1 − the correlation of two points a whole range apart: 0 for no effect, near 1 for a dominant one."""


@dataclass(frozen=True, slots=True)
class LeaveOneOut:
    """Each result against what the model makes of all the others (hyperparameters kept)."""

    z: Mapping[int, float]
    """Result minus prediction in standard deviations, by trial number."""
    r2: float
    """1 − the squared error of the predictions over that of the average: 1 is perfect, 0 no better than the average."""
    inside_50: float
    """Share of results inside their 50 % interval."""
    inside_90: float
    log_density: float
    """Mean log density of a result in user units: higher is better, see `constant_log_density`."""
    constant_log_density: float
    """The same for a model that knows only the average and the spread of the others."""
    outliers: tuple[int, ...]
    """Numbers of the trials more than four standard deviations away from their prediction, and of those that are far
    from all other results and from what a model fitted without them expects."""


@dataclass(frozen=True, slots=True)
class Diagnostics:
    """What the model believes, how well that agrees with the results, and what to make of it. Values in user units."""

    n_observed: int
    n_failed: int
    fit: str
    length_scales: Mapping[str, LengthScale]
    signal_sd: float
    """Standard deviation of the function over the domain."""
    noise_sd: float
    noise_interval: tuple[float, float] | None
    """A 90 % interval of `noise_sd`; None if the noise is known. Noise far below the signal is hard to tell from fine
    structure of the function: read the upper end as a bound then."""
    loo: LeaveOneOut | None
    """None if there are fewer than four results, or all are the same."""
    fallbacks: Mapping[int, str]
    """Trials that no model chose, by number, with the reason."""
    warnings: tuple[str, ...] = ()
    trusted: bool = True
    """False if a warning says that suggestions and recommendation may mislead."""
    n_modelled: int | None = None
    """The number of results that the model, and all else here, rests on; None means all."""
    outcomes: Mapping[str, "Diagnostics"] = field(default_factory=dict)
    """The diagnostics of each named outcome; all else here is about the first."""
    source_noises: Mapping[str, float] = field(default_factory=dict)
    """If sources differ in noise: the standard deviation of each; `noise_sd` is the target's."""

    __repr__ = brief_repr

    def __str__(self) -> str:
        if self.outcomes:
            return "\n\n".join(f"{one_line(name)}\n{found}" for name, found in self.outcomes.items())
        noise = "known" if self.noise_interval is None else "90 %: {:.3g} to {:.3g}".format(*self.noise_interval)
        rows = [
            ("model", "trusted" if self.trusted else "not trusted"),
            ("results", f"{self.n_observed}, and {self.n_failed} failed"),
            ("hyperparameters", FITS[self.fit]),
            ("signal sd", f"{self.signal_sd:.3g}"),
            ("noise sd", f"{self.noise_sd:.3g} ({noise})"),
        ]
        rows += [(f"noise sd, {one_line(name)}", f"{sd:.3g}") for name, sd in self.source_noises.items()]
        if self.loo is not None:
            gain = self.loo.log_density - self.loo.constant_log_density
            rows += [
                ("leave-one-out R²", f"{self.loo.r2:.2f}"),
                ("inside 50 %, 90 %", f"{self.loo.inside_50:.0%}, {self.loo.inside_90:.0%}"),
                ("log density", f"{self.loo.log_density:.2f} ({gain:+.2f} against a constant)"),
            ]
        for name, scale in self.length_scales.items():
            rows.append((f"length of {name}", f"{scale.value:.2g} of its range, relevance {scale.relevance:.2f}"))
        width = max(len(label) for label, _ in rows)
        lines = [f"{label:<{width}}  {text}" for label, text in rows]
        return "\n".join(lines + [f"! {warning}" for warning in self.warnings])
