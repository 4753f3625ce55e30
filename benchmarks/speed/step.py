"""One step of the benchmark in a process of its own: a task as JSON on standard input, the outcome on standard output.

A process per step keeps the peak memory of one contender apart from that of the others. Each function imports what it
needs when it runs, for the same reason.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from benchmarks.processes import peak

Json = dict[str, Any]


def prepare(case: Json, noise: float, seed: int) -> Json:
    """The data, and the Gaussian process under which all batches are chosen and judged."""
    import numpy as np

    from benchmarks.speed.cases import Case
    from benchmarks.speed.data import data
    from knowgrad.gp.fit import fit
    from knowgrad.gp.prior import Prior

    U, pending, values = data(Case(**case), noise, seed)
    y = (values - values.mean()) / values.std()
    known = np.full(len(y), np.nan if noise else 0.0)
    posterior = fit(U, y, known, np.arange(U.shape[1]), Prior())
    gp = {
        "X": U.tolist(),
        "y": y.tolist(),
        "ell": posterior.ell.tolist(),
        "s2": posterior.s2,
        "noise_var": max(posterior.noise, 1e-6),  # with less, exact data next to each other are beyond double precision
        "mean": posterior.m,
    }
    return {"gp": gp, "pending": pending.tolist(), "values": values.tolist()}


def ours(case: Json, noise: float, seed: int, method: str, repeats: int, gp: Json, pending: Any, values: Any) -> Json:
    """Seconds of `Study.ask`, which fits the hyperparameters and then chooses the batch."""
    from knowgrad.problems import PROBLEMS

    space = PROBLEMS[case["problem"]].space
    made = studies(case, noise, seed, method, repeats, gp, pending, values)
    cpu, wall, batches = timed([partial(study.ask, case["q"]) for study in made])
    batch = [[(t.params[name] - low) / (high - low) for name, (low, high) in space.items()] for t in batches[0]]
    return {"cpu": cpu, "wall": wall, "batch": batch}


def answers(case: Json, noise: float, seed: int, repeats: int, gp: Json, pending: Any, values: Any) -> Json:
    """CPU seconds of every question, asked one after the other of the same study: a list for each."""
    questions: dict[str, Callable[[Any], Any]] = {
        "ask": lambda study: study.ask(case["q"]),
        "recommend": lambda study: study.recommend(),
        "gain": lambda study: study.gain(case["q"]),
        "diagnostics": lambda study: study.diagnostics(),
    }
    made = studies(case, noise, seed, "qkg", repeats + 1, gp, pending, values)
    seconds = [timed([partial(question, study) for question in questions.values()])[0] for study in made]
    return {"cpu": dict(zip(questions, zip(*seconds[1:], strict=True), strict=True))}  # the first loads what is needed


def studies(
    case: Json, noise: float, seed: int, method: str, repeats: int, gp: Json, pending: Any, values: Any
) -> list[Any]:
    """So many studies of the same data, with seeds of their own, after a question that loads SciPy."""
    from knowgrad import Study
    from knowgrad.problems import PROBLEMS

    space = PROBLEMS[case["problem"]].space

    def params(u: list[float]) -> dict[str, float]:
        return {name: low + x * (high - low) for (name, (low, high)), x in zip(space.items(), u, strict=True)}

    def study(n: int, turn: int) -> Study:
        made = Study(space, seed=1000 * seed + turn, noise="learned" if noise else 0, method=method, fit="map")
        for u, value in zip(gp["X"][:n], values[:n], strict=True):
            made.add(params(u), value)
        for u in pending:
            made.enqueue(params(u))
        if pending:
            made.ask(len(pending))
        return made

    study(2 * len(space) + 2, 0).ask(case["q"])
    return [study(case["n"], turn) for turn in range(repeats)]


def botorch(case: Json, seed: int, fantasies: int, gp: Json, pending: Any) -> Json:
    """Seconds of BoTorch's one-shot knowledge gradient on the fitted process."""
    from benchmarks.peers import botorch as peer

    process, waiting = as_gp(gp), as_points(pending)
    cpu, wall, batches = timed([lambda: peer.choose(process, case["q"], waiting, fantasies, seed)])
    return {"cpu": cpu, "wall": wall, "batch": batches[0].tolist()}


def judge(gp: Json, pending: Any, batch: Any, seed: int, samples: int) -> Json:
    """What the batch is truly worth."""
    import numpy as np

    from benchmarks.speed.true_value import true_value

    value = true_value(as_gp(gp), np.array(batch), as_points(pending), samples=samples, seed=seed)
    return {"value": value.value, "se": value.se}


def versions(packages: list[str]) -> Json:
    """What this ran with."""
    import platform
    from importlib.metadata import PackageNotFoundError, version

    found = {"python": platform.python_version(), "machine": platform.machine()}
    for package in packages:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "absent"
    return {"versions": found}


def as_gp(gp: Json) -> Any:
    import numpy as np

    from benchmarks.speed.true_value import Gp

    return Gp(**{key: np.array(value) if isinstance(value, list) else value for key, value in gp.items()})


def as_points(points: Any) -> Any:
    import numpy as np

    return np.array(points) if points else None


def timed(calls: list[Callable[[], Any]]) -> tuple[list[float], list[float], list[Any]]:
    """CPU seconds, wall seconds and result of each call."""
    cpu, wall, results = [], [], []
    for call in calls:
        c, w = time.process_time(), time.perf_counter()
        results.append(call())
        cpu.append(time.process_time() - c)
        wall.append(time.perf_counter() - w)
    return cpu, wall, results


STEPS: dict[str, Callable[..., Json]] = {
    step.__name__: step for step in (prepare, ours, answers, botorch, judge, versions)
}


def main() -> None:
    task = json.load(sys.stdin)
    outcome = STEPS[task.pop("step")](**task)
    outcome["megabytes"] = peak()
    json.dump(outcome, sys.stdout)


if __name__ == "__main__":
    main()
