"""`knowgrad trials`: the trials of a study, one line each."""

from typing import get_args

import click

from knowgrad.cli.common import answer, load, of_a_study, record
from knowgrad.study import Study
from knowgrad.tables import shown_names
from knowgrad.text import brief, one_line
from knowgrad.trial import State, Trial, sign_of, value_of, within

LONGEST = 60  # characters of a cell
AWAITED = ("queued", "pending", "expired")  # states in which outcomes may still come in


@click.command()
@click.option("--state", type=click.Choice(get_args(State)), help="Only those in this state.")
@click.option("--best", is_flag=True, help="The best results first, instead of in the order of their numbers.")
@click.option("--last", type=click.IntRange(min=1), help="Only this many: the latest, or the best.")
@of_a_study
def trials(state: str | None, best: bool, last: int | None, storage: str, name: str | None, as_json: bool) -> None:
    """List the trials of a study: number, state, result, parameters, and what was said about them."""
    study = load(storage, name)
    found = [trial for trial in study.trials if state in (None, trial.state)]
    if best:
        if len(study.goals.objectives) > 1:
            raise click.UsageError("--best: expected a study with one objective, got several; see `knowgrad front`")
        sign = sign_of(study.direction)
        done = [trial for trial in found if trial.state == "complete"]
        done = within(done, study.limits) if study.goals else done
        found = sorted(done, key=lambda trial: sign * value_of(trial))[:last]
    elif last is not None:
        found = found[-last:]
    answer([record(trial) for trial in found], _table(study, found), as_json=as_json)


def _shown(trial: Trial, name: str) -> str:
    return brief(trial.params[name]) if name in trial.params else "–"


def _value(value: float | None, sem: float | None) -> str:
    return ("" if value is None else brief(value)) + ("" if sem is None else f" ± {brief(sem)}")


def _asked(trial: Trial) -> str:
    """What is still to be measured of a trial of which not all outcomes were asked for."""
    left = [name for name in trial.measure or () if name not in trial.outcomes]
    return f"measure {', '.join(left)}" if left and trial.state in AWAITED else ""


def _table(study: Study, found: list[Trial]) -> str:
    names, outcomes = shown_names(study), study.outcomes
    rows = [["trial", "state", *map(one_line, outcomes or ("value",)), *map(one_line, names), ""]]
    for trial in found:
        said = "; ".join(one_line(text) for text in (_asked(trial), trial.reason, *trial.notes) if text)
        told = [trial.outcomes.get(name) for name in outcomes] if outcomes else [(trial.value, trial.sem)]
        values = ["" if each is None else _value(*each) for each in told]
        rows.append([str(trial.number), trial.state, *values, *(_shown(trial, name) for name in names), said])
    cells = [[cell if len(cell) <= LONGEST else f"{cell[: LONGEST - 1]}…" for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in cells)
    return "\n".join(line.rstrip() for line in lines)
