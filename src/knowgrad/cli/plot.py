"""`knowgrad plot`: a figure of a study as a file, or everything about it in one page."""

from pathlib import Path
from typing import Any

import click

from knowgrad.cli.common import load, name_option, storage_option
from knowgrad.cli.words import Words, number, read_point
from knowgrad.plots import EVERY, THEMES, figure


@click.command()
@click.argument("study", required=False)
@storage_option
@name_option
@click.option("--kind", type=click.Choice(EVERY), default="history", show_default=True, help="What to draw.")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="The file: .html, or .png and .svg where there is Chrome or Chromium.  [default: KIND.html]",
)
@click.option("--report", is_flag=True, help="Write one self-contained page with everything instead.")
@click.option("--theme", type=click.Choice(THEMES), default="light", show_default=True, help="Colors of the figure.")
@click.option("-x", "x", metavar="PARAMETER", help="plane, surface: the parameter on the x axis.")
@click.option("-y", "y", metavar="PARAMETER", help="plane, surface: the parameter on the y axis.")
@click.option("--q", type=click.IntRange(min=1), help="batch, gain, report: points in a batch.")
@click.option("--threshold", type=float, help="gain, report: stop below this.")
@click.option("--budget", type=float, help="plan: the budget that is left.")
@click.option("--setup", type=float, help="plan: the fixed cost of a batch.")
@click.option("--each", type=float, help="plan: the cost of each point.")
@click.option("--robust/--all-values", default=None, help="history: draw results far from all others at the edge.")
@click.option("--chance", type=number, help="front: least probability that all limits hold.")
@click.option("--given", multiple=True, metavar="NAME=VALUE", help="front: only points with this value.")
@click.option("--outcome", help="Which of the named outcomes. Default: the first.")
@click.option("--narrow", is_flag=True, default=None, help="Put the panels of a figure below each other.")
def plot(
    study: str | None,
    storage: str,
    name: str | None,
    kind: str,
    out: Path | None,
    report: bool,
    theme: str,
    given: Words,
    **options: Any,
) -> None:
    """Draw a figure of STUDY, which may be left out where the storage holds one, and print the file's name."""
    if study and name and study != name:
        raise click.UsageError(f"--name: expected it once, got {study!r} and {name!r}; leave one out")
    found = load(storage, study or name)
    said = {key: value for key, value in options.items() if value is not None}
    if given:
        said["given"] = read_point(given, found.space)
    if report:
        from knowgrad.plots.report import report as written

        out = out or Path("knowgrad-report.html")
        wrong = [key for key in said if key not in ("q", "threshold")]
        if out.suffix.lower() != ".html" or wrong:
            raise click.UsageError("--report: expected an --out that ends in .html, and no options but q and threshold")
        out.write_text(written(found.snapshot(), found.name or "study", **said), encoding="utf-8")
    else:
        drawn = figure(found.snapshot(), kind, theme=theme, **said)
        from knowgrad.plots.save import save

        out = out or Path(f"{kind}.html")
        save(drawn, out)
    click.echo(out)
