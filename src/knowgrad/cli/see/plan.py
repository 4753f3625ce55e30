"""`knowgrad plan`: how a budget is best spent."""

import click

from knowgrad.cli.common import answer, load, of_a_study
from knowgrad.cli.words import Words, given_option, number, read_point


@click.command()
@click.argument("budget", type=number)
@click.option("--setup", type=number, default="0", show_default=True, help="The fixed cost of a batch.")
@click.option("--each", type=number, default="1", show_default=True, help="The cost of each point.")
@click.option(
    "--size",
    "sizes",
    type=click.IntRange(min=1),
    multiple=True,
    help="A batch size to consider. Default: 1 to 64.",
)
@given_option
@of_a_study
def plan(
    budget: float,
    setup: float,
    each: float,
    sizes: tuple[int, ...],
    given: Words,
    storage: str,
    name: str | None,
    as_json: bool,
) -> None:
    """Say how many points to ask for next, what BUDGET is expected to gain, and when to stop."""
    study = load(storage, name)
    found = study.plan(budget, setup=setup, each=each, sizes=sizes or None, given=read_point(given, study.space))
    answer(found.record(), str(found), as_json=as_json)
