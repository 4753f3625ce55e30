"""A study as a TOML file:

direction = "maximize"                      # optional, as are noise, method, fit, seed and cost = "learned"
constraints = ["sand + lime <= 0.9"]        # optional; "sand + lime + water == 1" makes a mixture

[space]
sand   = {low = 0.0, high = 1.0}            # decimal points make it a Float
passes = {low = 1, high = 20}               # whole numbers an Int
rate   = {type = "float", low = 1, high = 1000, log = true}
binder = ["lime", "clay"]                   # a Choice; of numbers: {options = [8, 16]}
solvent = {options = ["water", "DMF"], features = "solvents.csv"}     # a Choice with descriptors of its options
epochs = {type = "fidelity", low = 1, high = 52, log = true}          # suggestions choose it
plant  = {options = ["simulation", "plant"], target = "plant", cost = [0.1, 1.0]}         # a Source
mortar = {names = ["ash", "chalk", "gypsum"], total = 100.0, at_most = 2, step = 5.0}     # a Mixture

[objectives]                                # optional: named outcomes instead of direction, with
yield = "maximize"                          # limits = ["impurity <= 0.5"] above all tables, and what
price = "minimize"                          # measuring costs in a table [costs]

[over]                                      # optional: good on average over contexts, with weights
binder = {lime = 2, clay = 1}               # of numbers: [[8, 0.5], [16, 0.5]]

Instead of a table [space], a list of candidates: candidates = "molecules.csv", with labels = ["name"] if needed. Then
fidelities and sources may be in [space]: every row can be tried at each of their values.
"""

import tomllib
from pathlib import Path
from typing import Any

from knowgrad.errors import SpaceError
from knowgrad.space import Candidates, Space
from knowgrad.space.record import read_parameter
from knowgrad.text import shown

LISTS = ("candidates", "features", "labels")
OPTIONS = ("direction", "noise", "method", "fit", "seed", "over", "cost", "objectives", "limits", "costs")


def read_file(path: Path) -> tuple[Space, dict[str, Any]]:
    """The space, and those options of a study that the file gives."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except RecursionError:
        raise SpaceError(
            f"{path}: expected parameters in a table or two, got tables or lists nested too deep to be read; "
            "see `knowgrad create --help`"
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SpaceError(f"{path}: expected TOML, got something else: {error}; see `knowgrad create --help`") from error
    known = ("space", "constraints", *LISTS, *OPTIONS)
    if wrong := [key for key in table if key not in known]:
        raise SpaceError(f"{path}: expected the keys {', '.join(known)}, got {shown(wrong)}; remove what is wrong")
    for name in ("space", "objectives", "costs", "over"):
        if isinstance(inner := table.get(name), dict) and isinstance(inner.get("limits"), list):
            raise SpaceError(f"limits: expected above the line [{name}], got them below it; move them up")
    if "candidates" in table:
        return _listed(table, path), {key: table[key] for key in OPTIONS if key in table}
    if not isinstance(table.get("space"), dict) or not table["space"]:
        raise SpaceError(f"{path}: expected a table [space] with parameters, got none; add one")
    parameters = {name: parameter_record(form, name, path.parent) for name, form in table["space"].items()}
    space = Space.from_dict({"parameters": parameters, "constraints": table.get("constraints", [])})
    return space, {key: table[key] for key in OPTIONS if key in table}


def _listed(table: dict[str, Any], path: Path) -> Space:
    """The rows of a CSV file beside this one, each with the fidelities and sources in the table [space]."""
    if not isinstance(table["candidates"], str):
        raise SpaceError(f"{path}: candidates: expected the path of a CSV file, got {shown(table['candidates'])}")
    if "constraints" in table or not isinstance(table.get("space", {}), dict):
        wrong = "constraints" if "constraints" in table else "space"
        raise SpaceError(
            f"{path}: expected candidates alone or with a table [space] of fidelities and sources, got also {wrong}; "
            "only the rows of the file exist"
        )
    forms = table.get("space", {})
    beside = {name: read_parameter(parameter_record(form, name, path.parent), name) for name, form in forms.items()}
    seen = {"features": table.get("features"), "labels": table.get("labels", ())}
    return Candidates(path.parent / table["candidates"], **seen, beside=beside)


def parameter_record(form: Any, name: str, folder: Path) -> dict[str, Any]:
    """A parameter as `Space.from_dict` reads it."""
    if name == "constraints":
        raise SpaceError("constraints: expected above the line [space], got them below it; move them up")
    if isinstance(form, list):
        if len(form) == 2 and all(isinstance(each, int | float) and not isinstance(each, bool) for each in form):
            raise SpaceError(
                f"parameter {name!r}: expected a table or a list of options, got {form}, which could mean either; "
                f"write {{low = {form[0]}, high = {form[1]}}} or {{options = {form}}}"
            )
        return {"type": "choice", "options": form}
    if not isinstance(form, dict):
        raise SpaceError(
            f"parameter {name!r}: expected a table such as {{low = 0.0, high = 1.0}} or a list of options, "
            f"got {shown(form)}; write one of these"
        )
    if isinstance(form.get("features"), str):
        form = {**form, "features": folder / form["features"]}
    return {"type": _kind(form), **form}


def _kind(form: dict[str, Any]) -> str:
    if "target" in form:
        return "source" if "options" in form else "fidelity"
    if "options" in form or "names" in form:
        return "choice" if "options" in form else "mixture"
    numbers = [form[key] for key in ("low", "high", "step") if key in form]
    return "int" if all(isinstance(number, int) for number in numbers) else "float"
