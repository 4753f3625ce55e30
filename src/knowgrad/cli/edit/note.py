"""`knowgrad note`: something to remember about a trial."""

import click

from knowgrad.cli.common import load
from knowgrad.cli.edit.saying import of_a_trial, show


@click.command()
@of_a_trial
@click.argument("text")
def note(trial: int | str, text: str, by: str | None, storage: str, name: str | None, as_json: bool) -> None:
    """Attach TEXT to TRIAL, a number or an id, in any state."""
    show(load(storage, name).note(trial, text, by=by), as_json=as_json)
