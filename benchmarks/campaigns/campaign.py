"""Many runs, several at a time: each in a process of its own, on one thread, in the interpreter that can run it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections import defaultdict, deque
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean
from typing import Any

from benchmarks.campaigns.spec import Spec
from benchmarks.campaigns.warm import Warm
from benchmarks.processes import ONE_THREAD, ROOT
from benchmarks.records import read_json, recorded, write_json

SETTINGS = {
    **ONE_THREAD,
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
    "JAX_PLATFORMS": "cpu",
    "PYTHONHASHSEED": "0",  # some libraries let the order of sets decide
}


@dataclass
class Progress:
    """Batches done and to do, and an estimate of the time left from what the batches so far took."""

    jobs: int
    todo: dict[str, int] = field(default_factory=dict)  # run -> batches left
    took: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))  # problem and method -> seconds
    lock: threading.Lock = field(default_factory=threading.Lock)

    def done(self, spec: Spec, line: dict[str, Any]) -> None:
        with self.lock:
            self.todo[spec.label] = max(spec.batches - line["batch"], 0)
            self.took[_group(spec.label)].append(line["wall"])
            left = sum(self.todo.values())
            text = f"{spec.label}, batch {line['batch']}: {left} batches left, about {_clock(self.left())}"
        print(text, file=sys.stderr, flush=True)

    def left(self) -> float:
        overall = mean(x for group in self.took.values() for x in group)
        means = {name: mean(group) for name, group in self.took.items()}
        return sum(n * means.get(_group(label), overall) for label, n in self.todo.items()) / self.jobs


def _group(label: str) -> str:
    return label.rsplit("/", 1)[0]


def _clock(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02d}:{seconds:02d}"


@dataclass(frozen=True)
class Campaign:
    """Where results go, where data are, and who runs what."""

    out: Path
    data: Path | None
    jobs: int
    interpreters: dict[str, str]  # method -> Python
    redo: bool = False
    warm: Warm = field(default_factory=lambda: Warm(SETTINGS))

    def available(self, methods: Iterable[str], experiment: str) -> list[str]:
        """Those that can be run here. What is known of each, the reason if it cannot, is kept with the results."""
        path = self.out / experiment / "methods.json"
        found = read_json(path)
        for method in methods:
            found[method] = self._probe(method)
            if "reason" in found[method]:
                print(f"{method} cannot be run: {found[method]['reason']}", file=sys.stderr, flush=True)
        write_json(path, found)
        return [method for method in methods if "reason" not in found[method]]

    def carry_out(self, specs: list[Spec]) -> list[str]:
        """Do all runs that are not done; the labels of those that failed."""
        progress = Progress(self.jobs)
        for spec in specs:
            done = 0 if self.redo else len(recorded(spec.path(self.out)))
            progress.todo[spec.label] = max(spec.batches + 1 - done, 0)
        left, failed = deque(specs), list[str]()

        def work(_: int) -> None:
            while left:
                with suppress(IndexError):  # the last was taken by another thread
                    spec = left.popleft()
                    if not self._run(spec, progress):
                        failed.append(spec.label)
            self.warm.close()

        with ThreadPoolExecutor(self.jobs) as pool:
            list(pool.map(work, range(self.jobs)))
        return failed

    def _run(self, spec: Spec, progress: Progress) -> bool:
        began, failure = time.time(), spec.path(self.out).with_suffix(".failed")
        options = ["--out", str(self.out.resolve())]
        if self.redo:
            options.append("--redo")
        if self.data is not None:
            options += ["--data", str(self.data.resolve())]
        failure.parent.mkdir(parents=True, exist_ok=True)
        code = "1"
        for line in self.warm.run(self._python(spec.method), [spec.text(), *options], _log(failure)):
            if line.startswith('{"batch"'):
                progress.done(spec, json.loads(line))
            code = line
        progress.todo[spec.label] = 0
        return self._settled(spec, int(code), failure, time.time() - began)

    def _settled(self, spec: Spec, code: int, failure: Path, seconds: float) -> bool:
        """Keep the reason of a failure beside the results; a later success removes it."""
        log = _log(failure)
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
        log.unlink()
        failure.unlink(missing_ok=True)
        if code:
            reason = lines[-1] if lines else f"exit code {code}"
            write_json(failure, {"run": spec.label, "reason": reason, "seconds": round(seconds), "tail": lines[-20:]})
            print(f"{spec.label} failed: {reason}", file=sys.stderr, flush=True)
        return not code

    def _python(self, method: str) -> str:
        return self.interpreters.get(method, sys.executable)

    def _probe(self, method: str) -> dict[str, Any]:
        process = subprocess.run(
            [self._python(method), "-W", "ignore", "-m", "benchmarks.campaigns.run", "--probe", method],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
            text=True,
            cwd=ROOT,
            env={**os.environ, **SETTINGS},
            check=False,
        )
        answers = [line for line in process.stdout.splitlines() if line.startswith("{")]
        if process.returncode or not answers:
            return {"reason": f"its process ended with exit code {process.returncode}"}
        answer: dict[str, Any] = json.loads(answers[-1])
        return answer


def _log(failure: Path) -> Path:
    """What a run prints; another campaign in the same folder may do the same run, and has its own."""
    return failure.with_suffix(f".{os.getpid()}.log")
