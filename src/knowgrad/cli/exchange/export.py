"""`knowgrad export`: the trials as a table, or the whole study as JSON."""

from collections.abc import Callable
from pathlib import Path

import click

from knowgrad.cli.common import load, name_option, storage_option
from knowgrad.study import Study
from knowgrad.tables import to_csv, to_json, to_parquet

FORMATS: dict[str, Callable[[Study], bytes]] = {"csv": to_csv, "json": to_json, "parquet": to_parquet}


@click.command()
@click.argument("out", type=click.Path(dir_okay=False, allow_dash=True, path_type=Path), default="-")
@click.option("--format", "form", type=click.Choice(list(FORMATS)), help="Default: the ending of OUT, or csv.")
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option("--optuna", metavar="URL", help="A new study in this Optuna storage, such as sqlite:///optuna.db.")
@storage_option
@name_option
def export(out: Path, form: str | None, as_json: bool, optuna: str | None, storage: str, name: str | None) -> None:
    """Write the trials to OUT (.csv, .json, .parquet), to standard output, or to an Optuna storage."""
    if optuna is not None:
        from knowgrad.integrations.optuna import export_study

        click.echo(f"{export_study(load(storage, name), optuna).study_name}")
        return
    ending = out.suffix.removeprefix(".").lower()
    form = form or ("json" if as_json else ending if ending in FORMATS else "csv")
    content = FORMATS[form](load(storage, name))
    if str(out) == "-":
        click.echo(content, nl=False)
    else:
        out.write_bytes(content)
        click.echo(f"{out}")
