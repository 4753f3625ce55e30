"""`knowgrad front`: what can be had of several objectives."""

import click

from knowgrad.cli.common import answer, load, of_a_study
from knowgrad.cli.words import Words, given_option, read_point
from knowgrad.trial import FrontPoint


@click.command()
@click.option(
    "--chance",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    help="Least probability that all limits hold.",
)
@given_option
@of_a_study
def front(chance: float | None, given: Words, storage: str, name: str | None, as_json: bool) -> None:
    """Print points none of which is expected to be better in every objective, best in the first objective first.

    `knowgrad recommend --weights price=2` or `--at "price <= 3"` takes one of them.
    """
    study = load(storage, name)
    found = study.front(chance=chance, given=read_point(given, study.space))
    data = {
        "points": [as_record(each) for each in found],
        "objectives": dict(found.objectives),
        "hypervolume": found.hypervolume,
        "reference": dict(found.reference),
        "n_observed": found.n_observed,
    }
    answer(data, str(found), as_json=as_json)


def as_record(point: FrontPoint) -> dict[str, object]:
    outcomes = {name: {"mean": mean, "sd": point.sds[name]} for name, mean in point.means.items()}
    return {"params": dict(point.params), "outcomes": outcomes, "chance": point.chance}
