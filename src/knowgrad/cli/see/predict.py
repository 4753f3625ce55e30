"""`knowgrad predict`: what the model expects at a point."""

from typing import Any

import click

from knowgrad.cli.common import answer, load, of_a_study
from knowgrad.cli.words import read_point
from knowgrad.text import likelihood, measured, one_line
from knowgrad.trial import Prediction


@click.command()
@click.argument("params", nargs=-1, metavar="[NAME=VALUE...]")
@click.option("--csv", "table", type=click.Path(exists=True, dir_okay=False), help="At every row of a table instead.")
@of_a_study
def predict(params: tuple[str, ...], table: str | None, storage: str, name: str | None, as_json: bool) -> None:
    """Print the posterior mean and standard deviation at the point NAME=VALUE … of all parameters."""
    if bool(params) is (table is not None):
        raise click.UsageError("expected NAME=VALUE for all parameters, or --csv, got both or neither")
    study = load(storage, name)
    points: Any = table or [read_point(params, study.space)]
    found = study.predict(points)
    pairs = list(zip(found.mean.tolist(), found.sd.tolist(), strict=True))
    data: list[dict[str, Any]] = [{"mean": mean, "sd": sd} for mean, sd in pairs]
    lines = [measured(mean, sd) for mean, sd in pairs]
    if found.outcomes:
        data = [_named(found, i) for i in range(len(found))]
        lines = [_line(each) for each in data]
    answer(data, "\n".join(lines), as_json=as_json)


def _named(found: Prediction, i: int) -> dict[str, Any]:
    """What is expected of each named outcome at a point."""
    each = {name: {"mean": float(p.mean[i]), "sd": float(p.sd[i])} for name, p in found.outcomes.items()}
    return {"outcomes": each, "chance": None if found.chance is None else float(found.chance[i])}


def _line(told: dict[str, Any]) -> str:
    said = ", ".join(f"{one_line(name)} {measured(**_pair(each))}" for name, each in told["outcomes"].items())
    return said if told["chance"] is None else f"{said}; the limits hold with a chance of {likelihood(told['chance'])}"


def _pair(each: dict[str, float]) -> dict[str, float]:
    return {"value": each["mean"], "error": each["sd"]}
