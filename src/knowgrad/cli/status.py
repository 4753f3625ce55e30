"""`knowgrad status`: where a study stands."""

from collections import Counter
from dataclasses import asdict
from typing import Any

import click

from knowgrad.cli.common import answer, line, load, of_a_study, record
from knowgrad.study import Study
from knowgrad.text import brief, one_line

FAILURES = 5  # the latest ones are shown


@click.command()
@of_a_study
def status(storage: str, name: str | None, as_json: bool) -> None:
    """Say where a study stands: trials by state, the best observed, what is pending, the latest failures."""
    study = load(storage, name)
    data = _status(study)
    answer(data, _text(study, data), as_json=as_json)


def _status(study: Study) -> dict[str, Any]:
    trials = study.trials
    failed = [trial for trial in trials if trial.state == "failed"]
    return {
        "name": study.name,
        "direction": study.direction,
        **study.goals.record(),
        "trials": len(trials),
        "states": dict(Counter(trial.state for trial in trials)),
        "spent": study.spent,
        "changes": [asdict(change) for change in study.changes],
        "best": None if study.best is None else record(study.best),
        "pending": [record(trial) for trial in study.pending],
        "failed": [record(trial) for trial in failed[-FAILURES:]],
    }


def _text(study: Study, data: dict[str, Any]) -> str:
    counts = ", ".join(f"{n} {state}" for state, n in data["states"].items())
    about = f"{study.name}: {study.goals or study.direction}, {len(study.trials)} trials"
    lines = [about + (f": {counts}" if counts else "")]
    for change in study.changes:
        who = f" by {one_line(change.by)}" if change.by else ""
        why = f" ({one_line(change.reason)})" if change.reason else ""
        lines += [f"changed after {change.trials} trials{who}: {one_line(each)}{why}" for each in change.lines]
    if study.best is not None:
        lines.append(f"best: {line(study.best)}")
    if study.spent:
        lines.append(f"spent: {brief(study.spent)}")
    for each in (*data["pending"], *data["failed"]):
        trial = study.trials[each["number"]]
        lines.append(line(trial) + (f", worker: {one_line(trial.worker)}" if trial.worker else ""))
    return "\n".join(lines)
