"""Are mistakes in results found, and what is right left in peace? Counts, on tables with and without a mistake.

Clean tables are the test functions at random points, and at points of which half lie around an optimum, with three
levels of noise. Mistakes are made in tables as a laboratory has them: 9 to 24 results between 30 and 50, in two and
four parameters, with noise. "leave-one-out" is the check with the hyperparameters that know the mistake: four standard
deviations. "when told" is the check that fits nothing.
"""

from __future__ import annotations

import argparse
from collections import Counter
from itertools import product
from typing import Any

import numpy as np

import knowgrad as kg
from knowgrad.problems import PROBLEMS
from knowgrad.space import as_space

SIZES, NOISES, DESIGNS = (8, 14, 30), (0.0, 0.1, 0.4), ("random", "around")
KINDS = ("a tenth", "ten times", "digits swapped", "a tenth, twice")


def study(space: Any, U: Any, values: Any, direction: str = "minimize") -> tuple[kg.Study, list[int]]:
    """The table as a study, and the trials that looked wrong when they were told."""
    made = kg.Study(space, seed=0, direction=direction)
    doubted = []
    for number, (u, value) in enumerate(zip(U, values, strict=True)):
        params = made.space.decode(u)
        doubted += [number] if made.doubt(params, value) else []
        made.add(params, value, check=False)
    return made, doubted


def found(made: kg.Study) -> tuple[set[int], set[int]]:
    """The outliers, and those of leave-one-out alone."""
    loo = made.diagnostics().loo
    return (set(), set()) if loo is None else (set(loo.outliers), {n for n, z in loo.z.items() if abs(z) > 4.0})


def heading(*words: str) -> None:
    print(f"| {' | '.join(words)} |\n{'|---' * len(words)}|")


def clean(repeats: int) -> None:
    heading("function", "tables", "with an outlier", "by leave-one-out alone", "results", "doubted when told")
    for name, problem in PROBLEMS.items():
        space, counts = as_space(problem.space), Counter[str]()
        for n, noise, design, seed in product(SIZES, NOISES, DESIGNS, range(repeats)):
            rng = np.random.default_rng([seed, n, int(10 * noise)])
            U = rng.random((n, space.dim))
            if design == "around":
                near = space.encode(problem.optimizers[0]) + 0.12 * rng.standard_normal((n - n // 2, space.dim))
                U[n // 2 :] = np.clip(near, 0.0, 1.0)
            f = np.array([problem(space.decode(u)) for u in U])
            made, doubted = study(space, U, f + noise * f.std() * rng.standard_normal(n))
            now, before = found(made)
            counts.update(tables=1, now=bool(now), before=bool(before), results=n, told=len(doubted))
        print(
            f"| {name} | "
            + " | ".join(str(counts[key]) for key in ("tables", "now", "before", "results", "told"))
            + " |"
        )


def mistaken(kind: str, values: Any, i: int) -> tuple[Any, set[int]]:
    wrong, at = values.copy(), {i}
    if kind == "a tenth, twice":
        at = {i, (i + 3) % len(values)}
    for j in at:
        text = f"{values[j]:.2f}"
        wrong[j] = {"ten times": values[j] * 10, "digits swapped": float(text[1] + text[0] + text[2:])}.get(
            kind, values[j] / 10
        )
    return wrong, at


def mistakes(repeats: int) -> None:
    words = ("tables", "found", "by leave-one-out alone", "doubted when told", "others blamed")
    heading("mistake", "direction", *words)
    for kind, direction in product(KINDS, ("minimize", "maximize")):
        counts = Counter[str]()
        for d, n, seed in product((2, 4), (9, 12, 16, 24), range(repeats)):
            rng = np.random.default_rng([seed, n, d])
            U, best = rng.random((n, d)), rng.random(d)
            values = 50.0 - 28.0 * ((U - best) ** 2).mean(axis=1) + 0.4 * rng.standard_normal(n)
            wrong, at = mistaken(kind, np.round(values, 2), int(rng.integers(n)))
            made, doubted = study({f"x{k}": (0.0, 1.0) for k in range(d)}, U, wrong, direction)
            now, before = found(made)
            told = at & set(doubted)
            counts.update(tables=1, now=at <= now, before=at <= before, told=bool(told), blamed=bool(now - at))
        print(
            f"| {kind} | {direction} | "
            + " | ".join(str(counts[key]) for key in ("tables", "now", "before", "told", "blamed"))
            + " |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.inference.mistakes", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--repeats", type=int, default=6, help="tables of each kind")
    repeats = parser.parse_args().repeats
    clean(repeats)
    mistakes(repeats)


if __name__ == "__main__":
    main()
