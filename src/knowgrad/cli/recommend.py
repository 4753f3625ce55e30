"""`knowgrad recommend`: what to use now."""

from typing import Any

import click

from knowgrad.cli.common import answer, load, of_a_study, point
from knowgrad.cli.words import Words, given_option, number, read_point, read_widths
from knowgrad.study import Study
from knowgrad.trial import Gain, Recommendation


@click.command()
@click.option("--gain", "q", type=click.IntRange(min=1), help="Say also what this many more points are worth.")
@given_option
@click.option("--tolerance", multiple=True, metavar="NAME=NUMBER", help="A setting that is held only to ± NUMBER.")
@click.option("--chance", type=number, help="Probability with which all limits should hold; 0.95 if left out.")
@click.option("--weights", multiple=True, metavar="NAME=NUMBER", help="What a unit of an objective is worth.")
@click.option("--at", multiple=True, metavar="LIMIT", help="A bound on an objective, 'price <= 3'.")
@of_a_study
def recommend(
    q: int | None,
    given: Words,
    tolerance: Words,
    chance: float | None,
    weights: Words,
    at: Words,
    storage: str,
    name: str | None,
    as_json: bool,
) -> None:
    """Print what to use now: the best point by the model, with its standard deviation.

    With named outcomes, all of them are printed, and the probability that the limits hold.
    """
    study = load(storage, name)
    context = read_point(given, study.space)
    how: dict[str, Any] = {"chance": chance, "weights": read_widths(weights) or None, "at": list(at) or None}
    found = study.recommend(given=context, tolerance=read_widths(tolerance), **how)
    gain = None if q is None else study.gain(q, given=context)
    answer(as_record(found, gain), as_text(found, gain, study), as_json=as_json)


def as_record(found: Recommendation, gain: Gain | None) -> dict[str, Any]:
    worth = None if gain is None else {"value": gain.value, "sem": gain.sem, "q": gain.q, "cost": gain.cost}
    told = {"params": found.params, "mean": found.mean, "sd": found.sd, "n_observed": found.n_observed, "gain": worth}
    if not found.outcomes:
        return told
    outcomes = {name: {"mean": mean, "sd": sd} for name, (mean, sd) in found.outcomes.items()}
    return told | {"outcomes": outcomes, "chance": found.chance, "chances": dict(found.chances)}


def as_text(found: Recommendation, gain: Gain | None, study: Study) -> str:
    text = f"{point(found.params)}: {found.expected} after {found.n_observed} results"
    if gain is None:
        return text
    more = "1 more result is" if gain.q == 1 else f"{gain.q} more results are"
    price = "" if gain.cost is None else f", at a cost of {gain.cost:.3g} ({gain.per_cost:.2g} per unit of cost)"
    what = "enlarge the hypervolume of the front" if len(study.objectives) > 1 else "improve it"
    return f"{text}\n{more} expected to {what} by {gain.value:.3g} ± {gain.sem:.1g}{price}"
