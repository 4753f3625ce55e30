"""`knowgrad doctor`: is a file or database of studies sound, and what can be saved of it?"""

import dataclasses
from pathlib import Path

import click

from knowgrad.cli.common import answer, json_option
from knowgrad.log.doctor import Report, examine, rescue

DAMAGED = 5


@click.command()
@click.argument("storage", metavar="FILE|URL")
@click.option(
    "--rescue",
    "target",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Copy every intact event to a new file.",
)
@json_option
@click.pass_context
def doctor(ctx: click.Context, storage: str, target: Path | None, as_json: bool) -> None:
    """Check a file or database, which is never changed, and say what is wrong with it; exit code 5 if anything is."""
    report = examine(storage) if target is None else rescue(storage, target)
    rescued = str(target) if target is not None and target.exists() else None
    data = {**dataclasses.asdict(report), "is_sound": report.is_sound, "rescued": rescued}
    answer(data, _text(report, target), as_json=as_json)
    if not report.is_sound:
        ctx.exit(DAMAGED)


def _text(report: Report, target: Path | None) -> str:
    verdict = "damaged" if report.problems else "sound" if report.is_sound else "whole, but perhaps not complete"
    lines = [f"{report.path}: {verdict}"]
    lines += [f"  {each}" for each in (*report.problems, report.missing) if each]
    for study in report.studies:
        lost = f", {len(study.lost)} lost, {len(study.dropped)} of no use without them" if study.lost else ""
        lines.append(f"study {study.name}: {study.events} events whole{lost}")
    if target is not None:
        lines.append(f"what is whole is in {target}" if target.exists() else f"nothing was saved: there is no {target}")
    elif report.problems:
        lines.append("knowgrad doctor FILE --rescue NEW copies what is whole")
    return "\n".join(lines)
