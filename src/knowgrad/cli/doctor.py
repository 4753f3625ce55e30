"""`knowgrad doctor`: is a file of studies sound, and what can be saved of it?"""

import dataclasses
from pathlib import Path

import click

from knowgrad.cli.common import answer, json_option
from knowgrad.doctor import Report, examine, rescue

DAMAGED = 5


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--rescue", "target", type=click.Path(dir_okay=False, path_type=Path), help="Copy what is whole to this new file."
)
@json_option
@click.pass_context
def doctor(ctx: click.Context, file: Path, target: Path | None, as_json: bool) -> None:
    """Check FILE, which is never changed, and say what is wrong with it; exit code 5 if anything is."""
    report = examine(file) if target is None else rescue(file, target)
    rescued = str(target) if target is not None and target.exists() else None
    data = {**dataclasses.asdict(report), "is_sound": report.is_sound, "rescued": rescued}
    answer(data, _text(report, target), as_json=as_json)
    if not report.is_sound:
        ctx.exit(DAMAGED)


def _text(report: Report, target: Path | None) -> str:
    lines = [f"{report.path}: {'sound' if report.is_sound else 'damaged'}"]
    lines += [f"  {problem}" for problem in report.problems]
    for study in report.studies:
        lost = f", {len(study.lost)} lost, {len(study.dropped)} of no use without them" if study.lost else ""
        lines.append(f"study {study.name}: {study.events} events whole{lost}")
    if target is not None:
        lines.append(f"what is whole is in {target}" if target.exists() else f"nothing was saved: there is no {target}")
    elif not report.is_sound:
        lines.append("knowgrad doctor FILE --rescue NEW copies what is whole")
    return "\n".join(lines)
