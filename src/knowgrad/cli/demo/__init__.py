"""`knowgrad demo`: the paper's noisy Branin, several evaluations at once, and the answer beside the truth."""

import random
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from knowgrad import Result, Study, Trial, minimize
from knowgrad.cli.demo.picture import Curve, draw
from knowgrad.problems import BRANIN
from knowgrad.trial import value_of

NOISE = 0.5  # standard deviation, as in the paper
SECONDS = (0.2, 0.5)  # an evaluation takes as long as this, at random


def measure(params: Mapping[str, Any]) -> float:
    """One slow, noisy measurement of the Branin function."""
    time.sleep(random.uniform(*SECONDS))
    return BRANIN(params) + random.gauss(0.0, NOISE)


@click.command()
@click.option(
    "--out",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    default=Path("knowgrad-demo.svg"),
    show_default=True,
    help="Where to save the picture of the run.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the study.")
@click.option("--trials", type=click.IntRange(min=8), default=40, show_default=True, help="Evaluations to spend.")
@click.option("--workers", type=click.IntRange(min=1), default=4, show_default=True, help="Evaluations at once.")
def demo(out: Path, seed: int, trials: int, workers: int) -> None:
    """Minimize a noisy function whose answer is known, and compare."""
    if not out.parent.is_dir():
        raise click.ClickException(
            f"--out: expected a file in a folder that exists, got {out}; create {out.parent} first"
        )
    click.echo(f"Minimizing the Branin function on [-15, 15]² through noise of sd {NOISE}: {trials} evaluations,")
    click.echo(f"{workers} at once, each taking {SECONDS[0]} to {SECONDS[1]} s.\n")
    began = time.monotonic()
    result = minimize(measure, BRANIN.space, n_trials=trials, workers=workers, seed=seed)
    seconds = time.monotonic() - began
    click.echo("\n" + report(result, seconds))
    out.write_text(draw(BRANIN, result, history(result)), encoding="utf-8")
    click.echo(f"\nPicture of the run: {out}")


def regret(params: Mapping[str, Any]) -> float:
    return BRANIN(params) - BRANIN.optimum


def report(result: Result[Study], seconds: float) -> str:
    """What was found, beside the truth."""
    nearest = min(BRANIN.optimizers, key=lambda point: sum((point[k] - result.params[k]) ** 2 for k in point))
    rows = [
        ("recommended", f"{_point(result.params)}, predicted {result.mean:.3f} ± {result.sd:.3f}"),
        ("true value there", f"{BRANIN(result.params):.3f}, {regret(result.params):.3f} above the optimum"),
        ("nearest optimum", f"{_point(nearest)}, {BRANIN.optimum:.3f}"),
    ]
    if result.best is not None and result.best.value is not None:
        truth = f"in truth {BRANIN(result.best.params):.3f}, {regret(result.best.params):.3f} above the optimum"
        rows.append(("luckiest result", f"{result.best.value:.3f} at {_point(result.best.params)}: {truth}"))
    gain = f"{result.gain:.2g} ± {result.gain.sem:.1g}"
    rows.append(("another batch", f"of {result.gain.q} is expected to improve the recommendation by {gain}"))
    rows.append(("time", f"{seconds:.1f} s for {len(result.study.trials)} evaluations"))
    return "\n".join(f"  {name:<17} {text}" for name, text in rows)


def history(result: Result[Study]) -> list[Curve]:
    """True regret after n results, of the recommendation and of the luckiest result so far."""
    replay = Study(result.study.space, seed=result.study.seed)
    recommended: list[tuple[int, float]] = []
    luckiest: list[tuple[int, float]] = []
    best: Trial | None = None
    done = [trial for trial in result.study.trials if trial.state == "complete"]
    for n, trial in enumerate(done, 1):
        replay.add(trial.params, value_of(trial), check=False)
        best = replay.best
        if best is not None:
            luckiest.append((n, regret(best.params)))
        if n >= 4 and (n % 2 == 0 or n == len(done)):
            recommended.append((n, regret(replay.recommend().params)))
    return [Curve("recommendation", recommended), Curve("luckiest result so far", luckiest)]


def _point(params: Mapping[str, Any]) -> str:
    return "(" + ", ".join(f"{value:.2f}" for value in params.values()) + ")"
