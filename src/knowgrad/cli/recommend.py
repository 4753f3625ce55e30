"""`knowgrad recommend`: what to use now."""

from typing import Any

import click

from knowgrad.cli.common import answer, load, of_a_study, point
from knowgrad.cli.words import Words, given_option, read_point, read_widths
from knowgrad.text import measured
from knowgrad.trial import Gain, Recommendation


@click.command()
@click.option("--gain", "q", type=click.IntRange(min=1), help="Say also what this many more points are worth.")
@given_option
@click.option("--tolerance", multiple=True, metavar="NAME=NUMBER", help="A setting that is held to ± this only.")
@of_a_study
def recommend(q: int | None, given: Words, tolerance: Words, storage: str, name: str | None, as_json: bool) -> None:
    """Print what to use now: the best point as the model sees it, with its standard deviation."""
    study = load(storage, name)
    context = read_point(given, study.space)
    found = study.recommend(given=context, tolerance=read_widths(tolerance))
    gain = None if q is None else study.gain(q, given=context)
    answer(as_record(found, gain), as_text(found, gain), as_json=as_json)


def as_record(found: Recommendation, gain: Gain | None) -> dict[str, Any]:
    worth = None if gain is None else {"value": gain.value, "sem": gain.sem, "q": gain.q}
    return {"params": found.params, "mean": found.mean, "sd": found.sd, "n_observed": found.n_observed, "gain": worth}


def as_text(found: Recommendation, gain: Gain | None) -> str:
    text = f"{point(found.params)}: {measured(found.mean, found.sd)} after {found.n_observed} results"
    if gain is None:
        return text
    more = "1 more result is" if gain.q == 1 else f"{gain.q} more results are"
    return f"{text}\n{more} expected to improve it by {gain.value:.3g} ± {gain.sem:.1g}"
