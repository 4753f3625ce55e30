"""`knowgrad studies`: what a storage holds."""

import dataclasses
from datetime import UTC, datetime

import click

from knowgrad import storage as storages
from knowgrad.cli.common import answer, json_option, storage_option


@click.command()
@storage_option
@json_option
def studies(storage: str, as_json: bool) -> None:
    """List the studies of a storage."""
    found = storages.studies(storage)
    lines = [f"{each.name}  {datetime.fromtimestamp(each.created, UTC):%Y-%m-%d %H:%M}Z" for each in found]
    answer([dataclasses.asdict(each) for each in found], "\n".join(lines), as_json=as_json)
