"""`knowgrad rename`: another name for a study."""

import click

from knowgrad.cli.common import answer, json_option, storage_option
from knowgrad.storage.naming import rename_study


@click.command()
@click.argument("name")
@click.argument("to")
@storage_option
@json_option
def rename(name: str, to: str, storage: str, as_json: bool) -> None:
    """Give the study NAME the name TO. Processes that have it open must open it again."""
    rename_study(storage, name, to)
    answer({"name": to, "was": name}, f"{to}: was {name}", as_json=as_json)
