"""`knowgrad run`: a study from a file and something to evaluate, run to the end."""

from pathlib import Path
from typing import Any

import click

from knowgrad.acquisition.methods import METHODS
from knowgrad.advisor.options import DIRECTIONS
from knowgrad.cli.common import answer, json_option, storage_option
from knowgrad.cli.create import learn_from_option, read_earlier, space_argument
from knowgrad.cli.evaluate import evaluate, leave, run_options
from knowgrad.cli.program.objective import read_objective
from knowgrad.cli.recommend import as_record, as_text
from knowgrad.cli.spacefile import read_file
from knowgrad.outcomes import checked_goals
from knowgrad.runner import conclude
from knowgrad.study import Study


def _noise(_: click.Context, __: click.Parameter, text: str | None) -> str | float | None:
    try:
        return text if text in (None, "learned") else float(text)
    except ValueError:
        raise click.BadParameter(f'expected "learned" or a standard deviation, got {text!r}') from None


@click.command()
@space_argument
@click.argument("target", nargs=-1, required=True, type=click.UNPROCESSED)
@run_options
@click.option("--direction", type=click.Choice(DIRECTIONS), help="Default: that in SPACE, or minimize.")
@click.option(
    "--noise",
    callback=_noise,
    metavar="learned|SD",
    help="Standard deviation of results, 0 for exact ones. Default: that in SPACE, or learned.",
)
@click.option("--method", type=click.Choice(sorted(METHODS)), help="Default: that in SPACE, or qkg.")
@click.option("--seed", type=click.IntRange(min=0), help="The same seed and results give the same points.")
@learn_from_option
@storage_option
@click.option("--name", help="Name of the study; that of the file if left out.")
@json_option
def run(
    space: Path,
    target: tuple[str, ...],
    direction: str | None,
    noise: str | float | None,
    method: str | None,
    seed: int | None,
    learn_from: tuple[str, ...],
    storage: str,
    name: str | None,
    as_json: bool,
    shell: bool,
    result: str | None,
    **limits: Any,
) -> None:
    """Evaluate TARGET at points of the TOML file SPACE and print the recommendation.

    TARGET is module:function, or after -- any command line with placeholders:

    \b
    knowgrad run space.toml train:loss --trials 40 --workers 4
    knowgrad run space.toml --trials 40 -- python train.py --lr {lr} --layers {layers}

    A command's last printed number is its result, or a last line {"value": 0.5, "sem": 0.1, "cost": 3}, where sem and
    cost may be left out, or what --result says; named outcomes are a last line {"yield": 91.2, "price": [3.1, 0.2]}. An
    exit code other than 0 is a failed trial. Where the first evaluations all fail, nothing is recorded and the run ends
    with an error. The same command again continues the study.
    """
    if all(limits[name] is None for name in ("n_trials", "budget", "timeout", "stop_gain")):
        raise click.UsageError("expected --trials, --budget, --timeout or --stop-gain, got none of them")
    parameters, options = read_file(space)
    given = {"direction": direction, "noise": noise, "method": method, "seed": seed}
    options |= {key: value for key, value in given.items() if value is not None}
    objectives, limited = options.get("objectives"), options.get("limits")
    goals = checked_goals(objectives, limited, options.get("costs"), parameters.names)
    objective = read_objective(target, parameters, shell=shell, result=result, outcomes=goals.names)
    options["learn_from"] = read_earlier(learn_from, storage) or None
    study = Study(parameters, storage=storage, name=space.stem if name is None else name, **options)
    if study.space != parameters:  # it was changed since
        objective = read_objective(target, study.space, shell=shell, result=result, outcomes=goals.names)
    stopped = evaluate(study, objective, **limits)
    found = conclude(study, stopped, limits["batch_size"] or limits["workers"], limits["patience"])
    data = {**as_record(found, found.gain), "name": study.name, "stopped": stopped}
    answer(data, as_text(found, found.gain, study), as_json=as_json)
    leave(stopped)
