"""What a question may say besides how many points, checked: the context, settings shared by a batch, tolerances, and
the contexts over which an average is meant."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any

from knowgrad.acquisition.methods import METHODS, resolve
from knowgrad.advisor.named import check_existence, named
from knowgrad.checked import as_float, count, is_number
from knowgrad.errors import ArgumentError, KnowgradError
from knowgrad.space import Candidates, Choice, Params, Space, graded
from knowgrad.space.lists.sublists import cell_of, in_contexts
from knowgrad.text import shown
from knowgrad.trial import Settings, Trial

Over = tuple[tuple[str, tuple[tuple[Any, float], ...]], ...]
MOST = 256  # contexts in all


def checked_given(space: Space, given: object) -> Params:
    """Values of some parameters, in their canonical form and in the order of the space."""
    values = named(space, given, "given", '{"reactor": "B"}')
    if values and len(values) == len(space.names):
        raise ArgumentError(
            "given: expected at least one parameter that is left to choose, got values for all of them; leave one out, "
            "or use predict() for what the model expects there, enqueue() to have the point tried"
        )
    context = {name: _checked(space, name, values[name], "given") for name in space.names if name in values}
    check_existence(space, context)
    return context


def checked_shared(space: Space, shared: object) -> dict[str, int]:
    """How many different values of each parameter a batch may have; a list of names means one of each."""
    if isinstance(shared, str):
        shared = [shared]
    if isinstance(shared, Sequence):
        shared = {name if isinstance(name, str) else shown(name): 1 for name in shared}
    limits = named(space, shared, "shared", '{"temperature": 3} or ["temperature"]')
    return {name: count(limits[name], f"shared: {name}") for name in space.names if name in limits}


def checked_tolerance(space: Space, tolerance: object) -> dict[str, float]:
    """Half-widths in user units; those of zero are left out, because they change nothing."""
    widths = named(space, tolerance, "tolerance", '{"temperature": 3}')
    found = {}
    for name, value in widths.items():
        width = as_float(value)
        if isinstance(space.parameters[name], Choice):
            raise ArgumentError(f"tolerance: expected numeric parameters, got the choice {name!r}; leave it out")
        if width is None or not 0.0 <= width < float("inf"):
            raise ArgumentError(
                f"tolerance: {name}: expected a finite number of at least 0, in the units of {name}, got "
                f"{shown(value)}; pass 3 for ± 3, say"
            )
        found[name] = width
    return {name: found[name] for name in space.names if found.get(name)}


def checked_over(space: Space, over: object) -> Over:
    """The values of each parameter that an average is over, with weights that sum to one."""
    forms = named(space, over, "over", '{"substrate": {"A": 0.5, "B": 0.5}}')
    if forms and len(forms) == len(space.names):
        raise ArgumentError(
            "over: expected at least one parameter that is left to choose, got all of them; leave one out"
        )
    found = tuple((name, _weighted(space, name, forms[name])) for name in space.names if name in forms)
    contexts = 1
    for _, pairs in found:
        contexts *= len(pairs)
    if contexts > MOST:
        raise ArgumentError(f"over: expected at most {MOST} contexts in all, got {contexts}; give fewer values")
    if found and isinstance(space, Candidates):
        values = ([value for value, _ in pairs] for _, pairs in found)
        in_contexts(space, [dict(zip(dict(found), row, strict=True)) for row in product(*values)])
    return found


def can(method: object, what: str) -> bool:
    """Does the method say that it `takes_targets`, `takes_costs` or `keeps_ties`?"""
    return bool(getattr(resolve(method), what, False))


def takes_targets(method: object) -> bool:
    """Can the method choose some parameters where others are given?"""
    return can(method, "takes_targets")


def check_target(method: object, contexts: object) -> None:
    """Can the method choose for these contexts, if there are any?"""
    if contexts and not takes_targets(method):
        raise ArgumentError(
            f"given, over: expected a method of the knowledge gradient, got {shown(method)}, which cannot choose for a "
            'context or an average; make the study with method="qkg"'
        )


def check_graded(method: object, space: Space, several: bool = False) -> None:
    """Can the method choose fidelities and sources, if the space has any? `several`: of a study with outcomes."""
    found = [name for name, each in graded(space.parameters).items() if each.levels > 1]
    if found and several:
        raise ArgumentError(
            f"Fidelity, Source: expected a study with one value, got {shown(found)} beside objectives or limits; make "
            "them a Float, an Int or a Choice"
        )
    if len(found) == len(space.names):
        raise ArgumentError(
            f"Fidelity, Source: expected a parameter to choose beside them, got only {shown(found)}; add one"
        )
    known = not isinstance(method, str) or method in METHODS
    if found and known and not can(method, "takes_costs"):
        raise ArgumentError(
            f"Fidelity, Source: expected a method that chooses {shown(found)} by value per cost, got {shown(method)}; "
            'make the study with method="qkg"'
        )


def check_earlier(learn_from: object, settings: Settings) -> None:
    """Can a study with these settings learn from earlier ones, if it is to?"""
    if learn_from and (settings.goals or not takes_targets(settings.method)):
        raise ArgumentError(
            "learn_from: expected a study with one value and a method of the knowledge gradient, got named outcomes or "
            f'{shown(settings.method)}; leave it out, or make the study with method="qkg"'
        )


def check_ties(method: object, shared: object) -> None:
    """Can the method choose a batch that shares settings, if any are shared?"""
    if shared and not can(method, "keeps_ties"):
        raise ArgumentError(
            f"shared: expected a method that chooses batches with shared settings, got {shown(method)}; make the study "
            'with method="qkg"'
        )


def picked(queue: Sequence[Trial], q: int, *, given: Mapping[str, Any], shared: Mapping[str, int]) -> list[Trial]:
    """Those of the queue, at most q, that have the values that are given and keep to what is shared."""
    found: list[Trial] = []
    values: dict[str, set[Any]] = {name: set() for name in shared}
    for trial in queue:
        wanted = all(trial.params.get(name, trial) == value for name, value in given.items())
        more = {name: seen | {trial.params[name]} for name, seen in values.items()}
        if len(found) < q and wanted and all(len(more[name]) <= limit for name, limit in shared.items()):
            found.append(trial)
            values = more
    return found


def _weighted(space: Space, name: str, form: object) -> tuple[tuple[Any, float], ...]:
    """A mapping from values to weights, a list of such pairs, of values, or of the weights of a choice's options."""
    pairs = _pairs(space, name, form)
    found: dict[Any, float] = {}
    for value, weight in pairs:
        number = as_float(weight)
        if number is None or not 0.0 <= number < float("inf"):
            raise ArgumentError(
                f"over: {name}: expected weights that are finite and at least 0, got {shown(weight)}; "
                f"pass {{{shown(value)}: 1}}, say"
            )
        checked = _checked(space, name, value, "over")
        if checked in found:
            raise ArgumentError(f"over: {name}: expected each value once, got {shown(checked)} twice; drop one")
        found[checked] = number
    total = sum(found.values())
    if not 0.0 < total < float("inf"):
        raise ArgumentError(f"over: {name}: expected a weight above 0, got {shown(form)}; give the values weights")
    kept = [(value, weight / total) for value, weight in found.items() if weight > 0.0]
    return tuple(sorted(kept, key=lambda pair: space.parameters[name].position(pair[0])))


def _pairs(space: Space, name: str, form: object) -> list[tuple[Any, Any]]:
    if isinstance(form, Mapping):
        return list(form.items())
    parameter = space.parameters[name]
    options = list(parameter.options) if isinstance(parameter, Choice) else []
    if form is None and options:
        return [(option, 1.0) for option in options]
    items = list(form) if isinstance(form, Iterable) and not isinstance(form, str | bytes) else []
    if items and all(isinstance(item, list | tuple) and len(item) == 2 for item in items):
        return [(value, weight) for value, weight in items]
    weights = len(items) == len(options) > 0 and all(is_number(item) for item in items)
    values = items and all(not isinstance(item, list | tuple) for item in items) and not (options and weights)
    if weights and not any(is_number(option) for option in options):
        return list(zip(options, items, strict=True))
    if values:
        return [(value, 1.0) for value in items]
    raise ArgumentError(
        f"over: {name}: expected a mapping from values to weights, or a list of values, got {shown(form)}; "
        f'pass {{"{name}": {{value: weight, …}}}}'
    )


def _checked(space: Space, name: str, value: object, what: str) -> Any:
    try:
        found = space.parameters[name].check(value)
        return cell_of(space, name, found) if isinstance(space, Candidates) and name in space.table else found
    except KnowgradError as error:
        raise ArgumentError(f"{what}: {name}: {error}; pass a value that the space has") from None
