"""`knowgrad copy`: a new study from an old one."""

from pathlib import Path

import click

from knowgrad.cli.common import answer, load, of_a_study
from knowgrad.cli.spacefile import read_file


@click.command()
@click.argument("new")
@click.option("--to", metavar="FILE|URL", help="Where NEW is kept; beside the old study if left out.")
@click.option("--space", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Another [space], as TOML.")
@of_a_study
def copy(new: str, to: str | None, space: Path | None, storage: str, name: str | None, as_json: bool) -> None:
    """Copy a study, its results, corrections and notes, as NEW. The old one stays as it is.

    With another space, for instance a wider range, results that do not fit into it are left out and listed.
    """
    made = load(storage, name).copy(
        storage if to is None else to, name=new, space=None if space is None else read_file(space)[0]
    )
    report = made.copied
    left = [] if report is None else [{"number": number, "reason": why} for number, why in report.left_out.items()]
    answer({"name": made.name, "copied": len(made.trials), "left_out": left}, f"{made.name}: {report}", as_json=as_json)
