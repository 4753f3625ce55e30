"""Which fidelities and sources were looked at, and what that cost: each result at the cost that was spent before it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from knowgrad.advisor.snapshot import Snapshot
from knowgrad.errors import ArgumentError
from knowgrad.space import graded


@dataclass(frozen=True, slots=True)
class Looks:
    """Of every result: the cost spent up to and with it, the fidelity or source, and the value."""

    name: str
    target: Any
    number: tuple[int, ...]
    spent: tuple[float, ...]
    at: tuple[Any, ...]
    value: tuple[float, ...]


def looks(snapshot: Snapshot, name: str | None = None) -> Looks:
    """Along the fidelity or source `name`, by default the first; costs that are not known as they are expected."""
    kinds = graded(snapshot.space.parameters)
    if not kinds or (name is not None and name not in kinds):
        raise ArgumentError(
            f"fidelity: expected a fidelity or source of the study, {', '.join(kinds) or 'which has none'}, got "
            f"{name!r}; leave it out"
        )
    chosen = name or next(iter(kinds))
    total, spent = 0.0, []
    for trial in snapshot.complete:
        total += trial.cost if trial.cost is not None else snapshot.price(trial.params) or 0.0
        spent.append(total)
    done = snapshot.complete
    at = tuple(trial.params[chosen] for trial in done)
    values = tuple(float(trial.value) for trial in done if trial.value is not None)
    return Looks(chosen, kinds[chosen].target, tuple(t.number for t in done), tuple(spent), at, values)
