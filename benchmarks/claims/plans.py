"""Plans held against searches: the batch size that `Study.plan` chooses beside every fixed one, and what it expects.

A setting is a function, its noise, and what a batch and a point cost. A search begins with 2d + 2 results. From there
the budget is spent with batches of each size; what is left after the last whole batch buys a smaller one. The gain is
by how much the true value at the recommendation improves.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import knowgrad as kg
from benchmarks.records import gathered
from knowgrad.advisor.plan import batches_for
from knowgrad.problems import PROBLEMS

SIZES = (1, 2, 4, 8, 16)


@dataclass(frozen=True)
class Setting:
    """`noise` is a share of the standard deviation of the function over its domain."""

    problem: str
    noise: float
    budget: float
    setup: float
    each: float = 1.0

    @property
    def name(self) -> str:
        return f"{self.problem}, noise {self.noise:g}, {self.budget:g} at {self.setup:g} + {self.each:g} q"


SETTINGS = (
    Setting("branin", 0.0, 24, 1),
    Setting("branin", 0.05, 40, 4),
    Setting("rosenbrock3", 0.0, 32, 2),
    Setting("rosenbrock3", 0.05, 40, 8),
    Setting("hartmann6", 0.0, 48, 2),
    Setting("hartmann6", 0.05, 48, 8),
    Setting("ackley5", 0.0, 48, 4),
    Setting("ackley5", 0.05, 40, 1),
)
BY_NAME = {setting.name: setting for setting in SETTINGS}


def spread(problem: str) -> float:
    """The standard deviation of a function over its domain."""
    function = PROBLEMS[problem]
    low, high = np.array(list(function.space.values())).T
    U = np.random.default_rng(0).random((4096, len(low)))
    return float(function.values(low + U * (high - low)).std())


def begun(setting: Setting, seed: int) -> tuple[kg.Study, Any]:
    """A search after its start, and what measures."""
    function = PROBLEMS[setting.problem]
    measure = function.noisy(setting.noise * spread(setting.problem), seed=seed)
    study = kg.Study(function.space, seed=seed, noise=0 if setting.noise == 0.0 else "learned")
    for trial in study.ask(2 * len(function.space) + 2):
        study.tell(trial, measure(trial.params))
    return study, measure


def search(name: str, q: int, seed: int) -> dict[str, Any]:
    """The budget spent with batches of q: the gain after each."""
    setting = BY_NAME[name]
    study, measure = begun(setting, seed)
    function = PROBLEMS[setting.problem]
    first = function(study.recommend().params)
    sizes = batches_for(q, setting.budget, setting.setup, setting.each)
    gains = []
    for i, size in enumerate(sizes):
        for trial in study.ask(size, last=i == len(sizes) - 1):
            study.tell(trial, measure(trial.params))
        gains.append(first - function(study.recommend().params))
    return {"problem": name, "method": f"q={q}", "seed": seed, "batches": list(sizes), "gains": gains}


def planned(name: str, seed: int) -> dict[str, Any]:
    """What the plan says at the start."""
    setting = BY_NAME[name]
    study, _ = begun(setting, seed)
    plan = study.plan(setting.budget, setup=setting.setup, each=setting.each, sizes=SIZES)
    table = {str(option.q): option.gain for option in plan.options}
    return {"problem": name, "method": "plan", "seed": seed, "q": plan.q, "expected": plan.gain.value, "table": table}


def work(job: tuple[str, str, int]) -> list[dict[str, Any]]:
    """One line: a search, or what the plan says."""
    name, method, seed = job
    return [planned(name, seed) if method == "plan" else search(name, int(method.removeprefix("q=")), seed)]


def judged(lines: list[dict[str, Any]]) -> str:
    """A table: what each size gained beside the best of them, what the plan's did, and what was expected of it."""
    real = {(line["problem"], line["method"], line["seed"]): line["gains"][-1] for line in lines if "gains" in line}
    plans = {(line["problem"], line["seed"]): line for line in lines if line["method"] == "plan"}
    rows = ["| setting | " + " | ".join(f"q = {q}" for q in SIZES) + " | the plan's | its q | expected / gained |"]
    rows.append("|---" * (len(SIZES) + 4) + "|")
    shares, ratios = [], []
    for setting in SETTINGS:
        seeds = [seed for name, seed in plans if name == setting.name]
        fixed = [float(np.mean([real[setting.name, f"q={q}", seed] for seed in seeds])) for q in SIZES]
        chosen = [plans[setting.name, seed]["q"] for seed in seeds]
        got = float(np.mean([real[setting.name, f"q={q}", seed] for q, seed in zip(chosen, seeds, strict=True)]))
        expected = float(np.mean([plans[setting.name, seed]["expected"] for seed in seeds]))
        shares.append(got / max(fixed))
        ratios.append(expected / got)
        cells = [f"{gain / max(fixed):.2f}" for gain in (*fixed, got)]
        sizes = ", ".join(f"{q}" for q in sorted(set(chosen)))
        rows.append(f"| {setting.name} | {' | '.join(cells)} | {sizes} | {expected / got:.2f} |")
    mean, typical = np.exp(np.mean(np.log(ratios))), np.exp(np.mean(np.abs(np.log(ratios))))
    rows.append("")
    rows.append(
        f"The plan's gain is {np.mean(shares):.3f} of that of the best size in hindsight on average, at least "
        f"{min(shares):.2f}. Expected over gained: {mean:.2f} (geometric mean); in one setting off {typical:.1f} times."
    )
    return "\n".join(rows)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.plan", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=10, help="seeds 0, 1, …; each has its own start")
    parser.add_argument("--out", type=Path, default=Path("results/plan.jsonl"))
    parser.add_argument("--jobs", type=int, default=1, help="at a time, one thread each")
    chosen = parser.parse_args(arguments)
    methods = ("plan", *(f"q={q}" for q in SIZES))
    wanted = [(s.name, method, seed) for seed in range(chosen.runs) for s in SETTINGS for method in methods]
    print(judged(gathered(chosen.out, ("problem", "method", "seed"), wanted, work, chosen.jobs)))
