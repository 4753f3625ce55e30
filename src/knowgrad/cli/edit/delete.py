"""`knowgrad delete`: a study and all its trials, for good."""

import click

from knowgrad.cli.common import answer, json_option, load, storage_option
from knowgrad.storage.naming import delete_study


@click.command()
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask.")
@storage_option
@json_option
def delete(name: str, yes: bool, storage: str, as_json: bool) -> None:
    """Delete the study NAME and all its trials, for good. `backup` makes a copy; `discard` takes out a single trial."""
    trials = len(load(storage, name).trials)
    if not yes:
        click.confirm(f"Delete study {name!r} with {trials} trials, for good?", abort=True, err=True)
    delete_study(storage, name)
    answer({"name": name, "trials": trials}, f"{name}: deleted, {trials} trials", as_json=as_json)
