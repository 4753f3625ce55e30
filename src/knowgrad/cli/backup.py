"""`knowgrad backup`: a copy of studies that are in use."""

import dataclasses

import click

from knowgrad.cli.common import answer, of_a_study
from knowgrad.storage.backup import backup as copy


@click.command()
@click.argument("to", metavar="FILE|URL")
@of_a_study
def backup(to: str, storage: str, name: str | None, as_json: bool) -> None:
    """Copy all studies, or the one named, to a new FILE or to another database, while they are in use.

    The copy has everything that was acknowledged before. To continue with it, pass it as --storage.
    """
    copied = copy(storage, to, name)
    lines = [f"{study.name}: {study.events} events" for study in copied] or ["there was nothing to copy"]
    answer([dataclasses.asdict(study) for study in copied], "\n".join(lines), as_json=as_json)
