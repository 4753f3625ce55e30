"""`knowgrad import`: results from elsewhere."""

import click

from knowgrad.cli.common import answer, json_option, storage_option


@click.group("import")
def import_() -> None:
    """Make a study of results from elsewhere."""


@import_.command()
@click.argument("url")
@click.argument("study")
@storage_option
@click.option("--name", help="Of the new study; that of the Optuna study if left out.")
@json_option
def optuna(url: str, study: str, storage: str, name: str | None, as_json: bool) -> None:
    """Take over the results of STUDY in the Optuna storage at URL, such as sqlite:///optuna.db."""
    from knowgrad.integrations.optuna import import_study, load_study

    made = import_study(load_study(url, study), storage=storage, name=name or study)
    known = {state: sum(trial.state == state for trial in made.trials) for state in ("complete", "failed")}
    said = f"{made.name}: {made.direction}, {known['complete']} results and {known['failed']} failures imported"
    answer({"name": made.name, "direction": made.direction, **known}, said, as_json=as_json)
