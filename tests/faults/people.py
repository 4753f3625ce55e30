"""Processes that use a study and get harmed, and the ledger of what they were promised."""

from __future__ import annotations

import os
import random
import time
from collections import Counter
from collections.abc import Callable, Iterable
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import knowgrad as kg
from knowgrad.storage import open_storage

SPACE = {"x": (0.0, 1.0)}

CONTEXT = get_context("forkserver")  # quick to start, and carries nothing over from the tests
CONTEXT.set_forkserver_preload(
    ["knowgrad", "knowgrad.advisor.suggest", "knowgrad.storage.sqlite", "knowgrad.storage.postgres"]
)


def opened(url: str, **options: Any) -> kg.Study:
    return kg.Study(SPACE, storage=url, name="faults", **options)


def start(target: Callable[..., None], *args: Any) -> Any:
    process = CONTEXT.Process(target=target, args=args, daemon=True)
    process.start()
    return process


def crowd(target: Callable[..., None], n: int, *args: Any) -> list[Any]:
    """What `n` processes answered that ran `target(i, barrier, *args)`; a failure of any of them is raised."""
    barrier, answers = CONTEXT.Barrier(n), CONTEXT.SimpleQueue()
    processes = [start(_reported, target, i, barrier, answers, *args) for i in range(n)]
    found = dict(answers.get() for _ in processes)
    for process in processes:
        process.join()
    if errors := [answer for answer in found.values() if isinstance(answer, Exception)]:
        raise AssertionError(f"{len(errors)} of {n} processes failed, the first with {errors[0]!r}")
    return [found[i] for i in range(n)]


def _reported(target: Callable[..., Any], i: int, barrier: Any, answers: Any, *args: Any) -> None:
    try:
        answers.put((i, target(i, barrier, *args)))
    except BaseException as error:
        barrier.abort()
        answers.put((i, RuntimeError(f"{type(error).__name__}: {error}")))


def write_down(receipts: Path, line: str) -> None:
    """In one piece, and safe with the kernel if this process is killed right afterwards."""
    with receipts.open("ab", buffering=0) as file:
        file.write(f"{line}\n".encode())


def writer(url: str, receipts: Path) -> None:
    """Queue a point, ask for it, tell its result, and write down what was acknowledged; until killed."""
    study, rng = opened(url), random.Random(os.getpid())
    while True:
        study.enqueue({"x": rng.random()})
        (trial,) = study.ask()
        value = rng.random()
        study.tell(trial, value)
        write_down(receipts, f"{trial.number} {value!r} {time.time()!r}")


def settle(url: str, receipts: Iterable[Path]) -> tuple[int, int, int]:
    """How many results were acknowledged, how many of these are lost, and how many trials have two outcomes."""
    promised = [line.split() for path in receipts if path.exists() for line in path.read_text().splitlines()]
    values = {int(number): float(value) for number, value, _ in promised}
    assert len(values) == len(promised), "two workers were promised the same trial"
    trials = kg.Study.load(url, "faults").trials
    lost = sum(trials[number].value != value for number, value in values.items())
    events = open_storage(url, "faults").read()
    told = Counter(event.data["number"] for event in events if event.kind in ("told", "failed"))
    asked = Counter(event.data["number"] for event in events if event.kind == "asked")
    return len(values), lost, sum(n > 1 for n in (*told.values(), *asked.values()))
