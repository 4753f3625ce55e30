"""Seconds, memory and true worth of one batch: `python -m benchmarks.speed [--peer botorch] [--quick]`.

`--methods all` takes every method there is, on one case unless `--cases` names others, and ends with a table of CPU
seconds beside those of q-KG. `--answers` times `ask`, `recommend`, `gain` and `diagnostics` one after the other on the
same trials instead, and says how much they take together beside `ask` alone; `--against DIR` does the same with the
source of another checkout, in turns, and compares `ask`.

For every case of the grid and every seed, data and a fitted Gaussian process are prepared. Each contender chooses a
batch, in a process of its own and on one thread. Then one judge (`true_value.py`), whose sample none of them has seen,
says what each batch is worth. Our seconds include fitting the hyperparameters; the peer's do not.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean, median, stdev
from typing import Any

from benchmarks.processes import ONE_THREAD, ROOT
from benchmarks.records import opened
from benchmarks.speed.cases import LARGE, LARGEST, SMALL, Case

ALL_ON = "hartmann6 n=74 q=4"  # where all methods are compared

PACKAGES = ["knowgrad", "numpy", "scipy", "torch", "gpytorch", "botorch"]
Json = dict[str, Any]


@dataclass(frozen=True)
class Contender:
    """One way to choose a batch: a step of `step.py`, its options, and the cases it takes part in."""

    name: str
    step: str
    options: Json
    cases: tuple[Case, ...]


@dataclass(frozen=True)
class Record:
    """What one contender did on one case with one seed."""

    case: str
    method: str
    seed: int
    cpu: float
    wall: float
    megabytes: float
    value: float
    se: float
    points: list[list[float]]


def contenders(methods: Iterable[str], peer: str | None, quick: bool) -> Iterator[Contender]:
    for method in methods:
        slow = method == "qkg-paper"
        cases = (*SMALL, *LARGE) if slow else (*SMALL, *LARGE, *LARGEST)
        yield Contender(method, "ours", {"method": method, "repeats": 1 if slow else 3 if quick else 5}, cases)
    for fantasies in () if peer is None else (64,) if quick else (64, 128):
        yield Contender(f"{peer}-{fantasies}", "botorch", {"fantasies": fantasies}, SMALL)


def registered() -> list[str]:
    """The names of all methods, asked of another process: what this one imports shows in its children's memory."""
    command = [sys.executable, "-c", "from knowgrad.acquisition.methods import METHODS; print(*METHODS)"]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.split()


def run(step: str, source: Path | None = None, **task: Any) -> Json:
    """One step of `step.py` in a fresh, single-threaded process, with knowgrad from this checkout if there is one."""
    command = [sys.executable, "-W", "ignore", "-m", "benchmarks.speed.step"]
    text = json.dumps({"step": step, **task})
    environment = {**os.environ, **ONE_THREAD, **({} if source is None else {"PYTHONPATH": str(source / "src")})}
    done = subprocess.run(command, input=text, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment)
    if done.returncode:
        raise SystemExit(f"the step {step!r} failed; its message is above")
    outcome: Json = json.loads(done.stdout)
    return outcome


def measure(case: Case, seed: int, noise: float, entrants: list[Contender]) -> Iterator[Record]:
    """All contenders on the same data."""
    prepared = run("prepare", case=asdict(case), noise=noise, seed=seed)
    known = {"gp": prepared["gp"], "pending": prepared["pending"]}
    for entrant in entrants:
        told = {**known, "noise": noise, "values": prepared["values"]} if entrant.step == "ours" else known
        did = run(entrant.step, case=asdict(case), seed=seed, **entrant.options, **told)
        worth = run("judge", **known, batch=did["batch"], seed=seed, samples=2048)
        seconds = {"cpu": median(did["cpu"]), "wall": median(did["wall"]), "megabytes": did["megabytes"]}
        yield Record(
            case.label, entrant.name, seed, **seconds, value=worth["value"], se=worth["se"], points=did["batch"]
        )


def answered(case: Case, seeds: int, noise: float, quick: bool, against: Path | None) -> str:
    """CPU seconds of each question, all on the same trials, and of all four beside `ask` alone: medians over repeats,
    then the mean over the seeds with its standard error."""
    sources = {"here": None, **({} if against is None else {"before": against.resolve()})}
    found: dict[str, list[Json]] = {name: [] for name in sources}
    for seed in range(seeds):
        prepared = run("prepare", case=asdict(case), noise=noise, seed=seed)
        task = {"case": asdict(case), "noise": noise, "seed": seed, "repeats": 3 if quick else 9, **prepared}
        task.pop("megabytes")
        for name, source in sources.items():
            found[name].append({key: median(cpu) for key, cpu in run("answers", source, **task)["cpu"].items()})
    return questions_table(case, found)


def questions_table(case: Case, found: dict[str, list[Json]]) -> str:
    """A line for each checkout; of two, the ratio of `ask` too, by the geometric mean over the data sets."""
    lines = [f"{case.label:20}{'ask':>9}{'recommend':>11}{'gain':>9}{'diagnostics':>13}{'all four / ask':>20}"]
    for name, rows in found.items():
        ratio, error = spread([sum(row.values()) / row["ask"] for row in rows])
        seconds = [mean(row[key] for row in rows) for key in ("ask", "recommend", "gain", "diagnostics")]
        numbers = "".join(f"{each:{width}.4f}" for each, width in zip(seconds, (9, 11, 9, 13), strict=True))
        lines.append(f"{name:20}{numbers}{ratio:12.2f} ± {error:.2f}")
    if len(found) > 1:
        pairs = zip(found["here"], found["before"], strict=True)
        log, error = spread([math.log(here["ask"] / before["ask"]) for here, before in pairs])
        lines.append(f"ask here / before: {math.exp(log):.3f} ± {math.exp(log) * error:.3f}")
    return "\n".join(lines)


def spread(values: list[float]) -> tuple[float, float]:
    """The mean and its standard error, 0 for a single value."""
    return mean(values), stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0


def table(records: list[Record]) -> str:
    """One line per case and contender: medians over the seeds, and the mean true q-KG beside that of the peer."""
    titles = ("CPU s", 9), ("wall s", 9), ("MB", 7), ("true q-KG", 12), ("± se", 9), ("CPU", 9), ("value", 8)
    lines = [f"{'case':26}{'contender':18}" + "".join(f"{title:>{width}}" for title, width in titles)]
    for case in dict.fromkeys(record.case for record in records):
        rows = [record for record in records if record.case == case]
        groups = {name: [row for row in rows if row.method == name] for name in dict.fromkeys(r.method for r in rows)}
        peer = next((group for name, group in groups.items() if name.startswith("botorch")), None)
        lines += [line(case, name, group, peer) for name, group in groups.items()]
    return "\n".join(
        [*lines, "CPU: BoTorch's seconds (fewest fantasies) / these; value: this mean true q-KG / BoTorch's."]
    )


def line(case: str, name: str, group: list[Record], peer: list[Record] | None) -> str:
    cpu, wall = median(r.cpu for r in group), median(r.wall for r in group)
    value, se = mean(r.value for r in group), sum(r.se**2 for r in group) ** 0.5 / len(group)
    text = f"{case:26}{name:18}{cpu:9.3f}{wall:9.3f}{max(r.megabytes for r in group):7.0f}{value:12.5f}{se:9.5f}"
    if peer is None:
        return text
    return text + f"{median(r.cpu for r in peer) / cpu:8.0f}×{value / mean(r.value for r in peer):8.3f}"


def beside_qkg(records: list[Record]) -> str:
    """The methods by CPU seconds per batch, in Markdown: medians over the seeds, and the mean true q-KG."""
    lines = ["| method | CPU s per batch | × `qkg` | true q-KG |", "|---|---:|---:|---:|"]
    groups = {name: [r for r in records if r.method == name] for name in {r.method for r in records}}
    cpu = {name: median(r.cpu for r in group) for name, group in groups.items()}
    for name in sorted(cpu, key=lambda name: cpu[name]):
        times = f"{cpu[name] / cpu['qkg']:.1f}" if "qkg" in cpu else ""
        lines.append(f"| `{name}` | {cpu[name]:.2f} | {times} | {mean(r.value for r in groups[name]):.4f} |")
    return "\n".join(lines)


def options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.speed", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--peer", choices=["botorch"], help="time this peer in the same run; minutes per batch")
    parser.add_argument(
        "--methods", nargs="*", default=["qkg", "qkg-paper"], help="ours, by the names Study takes; or all"
    )
    parser.add_argument("--cases", nargs="*", help="only cases whose label contains one of these")
    parser.add_argument(
        "--noise", type=float, default=0.5, help="standard deviation of the data's noise; 0: exact data"
    )
    parser.add_argument("--seeds", type=int, default=None, help="data sets per case (3; with --quick 1)")
    parser.add_argument("--answers", action="store_true", help="time all four questions on the same trials instead")
    parser.add_argument("--against", type=Path, help="with --answers: another checkout, timed in the same run")
    parser.add_argument("--quick", action="store_true", help="one data set, fewer repeats, 64 fantasies only")
    parser.add_argument("--out", type=Path, help="append a line for every record, with the versions, to this file")
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> None:
    chosen = options(arguments)
    if chosen.answers:
        for case in (*SMALL, *LARGE, *LARGEST):
            if any(part in case.label for part in chosen.cases or [ALL_ON]):
                print(answered(case, chosen.seeds or 3, chosen.noise, chosen.quick, chosen.against))
        return
    versions = run("versions", packages=PACKAGES)["versions"]
    everything = "all" in chosen.methods
    entrants = list(contenders(registered() if everything else chosen.methods, chosen.peer, chosen.quick))
    wanted = chosen.cases or [ALL_ON if everything else ""]
    records: list[Record] = []
    for case in (*SMALL, *LARGE, *LARGEST):
        taking_part = [entrant for entrant in entrants if case in entrant.cases]
        if not taking_part or not any(part in case.label for part in wanted):
            continue
        for seed in range(chosen.seeds or (1 if chosen.quick else 3)):
            for record in measure(case, seed, chosen.noise, taking_part):
                print(f"{record.case}, {record.method}, seed {seed}: {record.cpu:.3f} CPU s", file=sys.stderr)
                records.append(record)
                if chosen.out:
                    line = {**asdict(case), "noise": chosen.noise, **asdict(record), "versions": versions}
                    with opened(chosen.out) as file:
                        file.append(line)
    print(table(records))
    for label in dict.fromkeys(record.case for record in records) if everything else ():
        print(f"\n{label}\n\n{beside_qkg([record for record in records if record.case == label])}")
