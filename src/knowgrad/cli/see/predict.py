"""`knowgrad predict`: what the model expects at a point."""

from typing import Any

import click

from knowgrad.cli.common import answer, load, of_a_study
from knowgrad.cli.words import read_point
from knowgrad.text import measured


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
    data = [{"mean": mean, "sd": sd} for mean, sd in pairs]
    answer(data, "\n".join(measured(mean, sd) for mean, sd in pairs), as_json=as_json)
