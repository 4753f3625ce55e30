"""The paper's statements about its experiments, each judged by paired differences: the tables of docs/paper.md.

A difference is q-KG minus a rival in log10 regret, over common starts, with a 95 % interval (Student's t); below zero
q-KG is better. Both have the same fit of hyperparameters, "mle" as the paper has it or "map" as this package has it,
and the same search for the maximum of their criteria.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np

from benchmarks.problems.experiments import RIVALS, SYNTHETIC
from benchmarks.reports.keep import Kept
from benchmarks.reports.stats import Contender, Difference, contenders, difference

FITS = {"the paper's fit": "+mle", "our model": ""}
OTHERS = RIVALS[1:]
BATCHES = (5, 10, 15)
ITSELF = "qkg-paper"  # the paper's own maximiser; its fit is maximum likelihood
LEAST = 10  # common starts below which nothing is said

Curves = dict[int, list[float]]  # by seed


class Terms:
    """The experiment `terms`, read: by what is recommended, or by the best observed point."""

    def __init__(self, kept: Kept, *, observed: bool = False) -> None:
        self._curves: dict[tuple[str, str], Curves] = {}
        for problem in kept.problems:
            for one in contenders(kept, problem):
                if isinstance(one, Contender):
                    self._curves[problem, one.method] = {
                        seed: run.observed if observed else run.values for seed, run in one.runs.items()
                    }

    def at(self, problem: str, method: str, batch: int) -> dict[int, float]:
        curves = self._curves.get((problem, method), {})
        return {seed: values[batch] for seed, values in curves.items() if len(values) > batch}

    def gap(self, problem: str, rival: str, fit: str, batch: int) -> Difference | None:
        """q-KG minus the rival under one fit."""
        found = difference(self.at(problem, f"qkg{fit}", batch), self.at(problem, f"{rival}{fit}", batch))
        return found if found and found.seeds >= LEAST else None

    def starts(self) -> tuple[int, int]:
        """The fewest and the most complete starts of any method but `qkg-paper`, which has fewer."""
        counts = [len(self.at(problem, method, BATCHES[-1])) for problem, method in self._curves if method != ITSELF]
        return (min(counts), max(counts)) if counts else (0, 0)


def shown(found: Difference | None) -> str:
    if found is None:
        return "–"
    text = f"{found.mean:+.2f} [{found.low:+.2f}, {found.high:+.2f}]"
    return (f"**{text}**" if found.verdict == "better" else f"*{text}*" if found.verdict == "worse" else text).replace(
        "-", "−"
    )


def equal_terms(terms: Terms) -> list[str]:
    """A table for each fit: settings by rivals, at every fifth batch."""
    lines: list[str] = []
    for title, fit in FITS.items():
        lines += [f"q-KG minus its rivals, all under {title}:", ""]
        lines += [f"| setting | batches | {' | '.join(f'`{rival}`' for rival in OTHERS)} |", "|---" * 6 + "|"]
        for problem in settings():
            for batch in BATCHES:
                cells = [shown(terms.gap(problem, rival, fit, batch)) for rival in OTHERS]
                lines.append(f"| {problem} | {batch} | {' | '.join(cells)} |")
        lines.append("")
    return lines


def settings() -> tuple[str, ...]:
    return (*SYNTHETIC, *(f"noisy-{name}" for name in SYNTHETIC))


def better_than_all(terms: Terms, problem: str, fit: str, batch: int) -> tuple[str, str]:
    """Is q-KG better than each of the four: the verdict, and the difference to the strongest of them."""
    gaps = {rival: terms.gap(problem, rival, fit, batch) for rival in OTHERS}
    known = {rival: gap for rival, gap in gaps.items() if gap is not None}
    if len(known) < len(OTHERS):
        return "not run", "–"
    rival, nearest = max(known.items(), key=lambda item: item[1].mean)
    figure = f"to `{rival}`, the strongest: {shown(nearest)}"
    return verdict_of(all(gap.high < 0 for gap in known.values()), any(gap.low > 0 for gap in known.values())), figure


def worse_than_best(terms: Terms, problem: str, fit: str, batch: int) -> tuple[str, str]:
    """Is q-KG worse than the best of the four."""
    _, figure = better_than_all(terms, problem, fit, batch)
    gaps = [gap for rival in OTHERS if (gap := terms.gap(problem, rival, fit, batch))]
    if len(gaps) < len(OTHERS):
        return "not run", "–"
    return verdict_of(any(gap.low > 0 for gap in gaps), all(gap.high < 0 for gap in gaps)), figure


def competitive(terms: Terms, problems: Iterable[str], fit: str, batch: int) -> tuple[str, str]:
    """Is no rival better in any of the settings: where one is, the statement does not hold."""
    gaps = {(p, rival): terms.gap(p, rival, fit, batch) for p in problems for rival in OTHERS}
    known = {key: gap for key, gap in gaps.items() if gap is not None}
    if len(known) < len(gaps):
        return "not run", "–"
    behind = [f"`{rival}` on {problem} ({shown(gap)})" for (problem, rival), gap in known.items() if gap.low > 0]
    ahead = sum(gap.high < 0 for gap in known.values())
    figure = f"ahead in {ahead} of {len(known)} comparisons, behind in {len(behind)}"
    figure += f": {', '.join(behind)}" if behind else ""
    return ("does not hold" if behind else "holds"), figure


def larger_with_noise(terms: Terms, fit: str, batch: int) -> tuple[str, str]:
    """Is the advantage over the rivals larger with noise: means over functions and rivals, paired by seed."""
    per_seed: dict[int, list[float]] = {}
    for name in SYNTHETIC:
        for rival in OTHERS:
            sides = [_by_seed(terms, f"{noise}{name}", rival, fit, batch) for noise in ("noisy-", "")]
            for seed in sides[0].keys() & sides[1].keys():
                per_seed.setdefault(seed, []).append(sides[0][seed] - sides[1][seed])
    whole = {seed: float(np.mean(d)) for seed, d in per_seed.items() if len(d) == len(SYNTHETIC) * len(OTHERS)}
    found = difference(whole, dict.fromkeys(whole, 0.0))
    if found is None or found.seeds < LEAST:
        return "not run", "–"
    return verdict_of(found.high < 0, found.low > 0), f"with noise minus without: {shown(found)}"


def readings(terms: Terms, observed: Terms) -> list[str]:
    """What the difference to each rival rests on: pooled over the functions, with and without noise.

    By what is recommended; by the best observed point; and the share of starts in which q-KG recommends the better one.
    """
    lines = [f"| | judged by | {' | '.join(f'`{rival}`' for rival in OTHERS)} |", "|---" * (2 + len(OTHERS)) + "|"]
    for title, fit in FITS.items():
        for said, noise in (("no noise", ""), ("noise", "noisy-")):
            for rule, read in (("recommendation", terms), ("best observed", observed)):
                cells = [shown(_pooled(read, noise, rival, fit)) for rival in OTHERS]
                lines.append(f"| {title}, {said} | {rule} | {' | '.join(cells)} |")
            cells = [f"{share:.0%}".replace("%", " %") for share in (_ahead(terms, noise, r, fit) for r in OTHERS)]
            lines.append(f"| {title}, {said} | starts ahead | {' | '.join(cells)} |")
    return [*lines, ""]


def _pooled(terms: Terms, noise: str, rival: str, fit: str) -> Difference | None:
    """The mean over the functions after the last batch, paired by seed."""
    sides = [_by_seed(terms, f"{noise}{name}", rival, fit, BATCHES[-1]) for name in SYNTHETIC]
    seeds = set.intersection(*(set(side) for side in sides))
    whole = {seed: float(np.mean([side[seed] for side in sides])) for seed in seeds}
    return difference(whole, dict.fromkeys(whole, 0.0)) if len(whole) >= LEAST else None


def _ahead(terms: Terms, noise: str, rival: str, fit: str) -> float:
    """The share of starts, of all functions, in which q-KG ends lower; ties count half."""
    gaps = [g for name in SYNTHETIC for g in _by_seed(terms, f"{noise}{name}", rival, fit, BATCHES[-1]).values()]
    return float(np.mean([(g < 0) + 0.5 * (g == 0) for g in gaps])) if gaps else math.nan


def _by_seed(terms: Terms, problem: str, rival: str, fit: str, batch: int) -> dict[int, float]:
    own, other = terms.at(problem, f"qkg{fit}", batch), terms.at(problem, f"{rival}{fit}", batch)
    return {seed: own[seed] - other[seed] for seed in own.keys() & other.keys()}


def itself(terms: Terms) -> list[str]:
    """`qkg-paper` minus others under the paper's fit, after the last batch."""
    against = ("qkg", *OTHERS)
    lines = [f"| setting | starts | {' | '.join(f'`{name}`' for name in against)} |", "|---" * 7 + "|"]
    for problem in settings():
        own = terms.at(problem, ITSELF, BATCHES[-1])
        gaps = [difference(own, terms.at(problem, f"{name}+mle", BATCHES[-1])) for name in against]
        if all(gap is not None for gap in gaps):
            lines.append(f"| {problem} | {len(own)} | {' | '.join(map(shown, gaps))} |")
    return [*lines, ""] if len(lines) > 2 else ["Not run.", ""]


def speed_up(kept: Kept, problem: str, sizes: Sequence[int]) -> tuple[str, str]:
    """Is the regret after the same number of iterations lower the larger the batch."""
    ends = {one.q: one.at(BATCHES[-1]) for one in contenders(kept, problem) if isinstance(one, Contender)}
    if any(len(ends.get(q, {})) < LEAST for q in sizes):
        return "not run", "–"
    pairs = [(sizes[0], sizes[-1]), *pairwise(sizes)]
    gaps = [difference(ends[b], ends[a]) for a, b in pairs]
    figure = "; ".join(f"q = {b} minus q = {a}: {shown(gap)}" for (a, b), gap in zip(pairs, gaps, strict=True))
    return verdict_of(gaps[0] is not None and gaps[0].high < 0, gaps[0] is not None and gaps[0].low > 0), figure


def verdict_of(holds: bool, fails: bool) -> str:
    return "holds" if holds else "does not hold" if fails else "not separable"
