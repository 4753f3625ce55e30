"""What a fault scenario is: a function that does harm `n` times, checks that no harm was done, and says what it saw.

Scenarios are registered under the number of the promise they test. `tests/faults/test_faults.py` runs each of them a
few times, `python -m tests.faults.campaign` (`make faults`) as often as its full figure says. To add one, write a
function in a module of this folder, decorate it, and name the module in `MODULES`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

MODULES = (
    "kills",
    "edits",
    "spaces",
    "races",
    "leases",
    "workers",
    "damage",
    "outages",
    "cuts",
    "engines",
    "size",
    "interrupts",
    "busy_forks",
    "moves",
    "resumes",
    "suites",
    "web",
    "hostile",
    "forks",
    "leftovers",
    "curves",
)


class CannotRun(Exception):
    """This machine lacks what a scenario needs; the text says what."""


@dataclass(frozen=True)
class Place:
    """Where a scenario does its harm: an empty database, a folder, and the PostgreSQL server if it is of that kind."""

    kind: str
    url: str
    folder: Path
    server: Any = None


@dataclass(frozen=True)
class Scenario:
    number: str
    title: str
    run: Callable[[Place, int], str]
    kinds: tuple[str, ...]
    quick: int
    """How often in the tests; 0: not at all, because other tests do it or it takes too long."""
    full: int


SCENARIOS: list[Scenario] = []


def scenario(
    number: str, title: str, *, quick: int, full: int, on: tuple[str, ...] = ("sqlite", "postgres")
) -> Callable[[Callable[[Place, int], str]], Callable[[Place, int], str]]:
    def register(run: Callable[[Place, int], str]) -> Callable[[Place, int], str]:
        SCENARIOS.append(Scenario(number, title, run, on, quick, full))
        return run

    return register


def scenarios() -> list[Scenario]:
    """All of them, by number."""
    for module in MODULES:
        import_module(f"tests.faults.{module}")
    return sorted(SCENARIOS, key=lambda each: (int("0" + "".join(filter(str.isdigit, each.number))), each.number))
