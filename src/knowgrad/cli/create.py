"""`knowgrad create`: a study from a file, for those who evaluate by hand."""

from pathlib import Path

import click

from knowgrad.cli.common import answer, json_option, load, storage_option
from knowgrad.cli.spacefile import read_file
from knowgrad.study import Study

space_argument = click.argument("space", type=click.Path(exists=True, dir_okay=False, path_type=Path))


learn_from_option = click.option(
    "--learn-from",
    multiple=True,
    metavar="STORAGE#NAME",
    help="An earlier study to copy results from; #NAME in the same storage, STORAGE alone if it has one study.",
)


def read_earlier(words: tuple[str, ...], storage: str) -> list[Study]:
    """The studies that STORAGE#NAME words mean."""
    found = []
    for word in words:
        place, sign, name = word.rpartition("#") if "#" in word else (word, "", "")
        found.append(load(place or storage, name if sign else None))
    return found


@click.command()
@space_argument
@learn_from_option
@storage_option
@click.option("--name", help="Name of the study; that of the file if left out.")
@json_option
def create(space: Path, learn_from: tuple[str, ...], storage: str, name: str | None, as_json: bool) -> None:
    """Create the study that the TOML file SPACE describes; an existing one is left as it is.

    \b
    direction = "maximize"                      # optional, as are noise, method, fit and seed
    constraints = ["sand + lime <= 0.9"]        # optional; "sand + lime + ash == 1" makes a mixture
    [space]
    sand   = {low = 0.0, high = 1.0}            # decimal points make it a float
    lime   = {low = 0.0, high = 1.0}
    passes = {low = 1, high = 20}               # whole numbers an int
    binder = ["clay", "resin"]                  # a choice; of numbers: {options = [8, 16]}
    [objectives]                                # optional: named outcomes instead of direction;
    yield = "maximize"                          # limits = ["impurity <= 0.5"] stands above all tables
    [over]                                      # optional: to be good on average over contexts, with weights
    binder = {clay = 2, resin = 1}              # of numbers: [[8, 2], [16, 1]]
    """
    parameters, options = read_file(space)
    options["learn_from"] = read_earlier(learn_from, storage) or None
    study = Study(parameters, storage=storage, name=space.stem if name is None else name, **options)
    data = {"name": study.name, "direction": study.direction, **study.goals.record(), "trials": len(study.trials)}
    answer(data, f"{study.name}: {study.goals or study.direction}, {len(study.trials)} trials", as_json=as_json)
