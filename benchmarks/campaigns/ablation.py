"""What each safeguard of q-KG does: `python -m benchmarks.ablation [--runs N] [--settings noisy/hartmann6 …]`.

q-KG runs with all safeguards, without one of them, and without any, from the same starts and with the same noise. The
table has the paired difference in log10 regret of the recommendation to q-KG with all safeguards, half-way and at the
end, with its standard error over the starts (above zero, the safeguard helps; "same": it never came into play), and CPU
seconds of a run. A setting is an experiment and a problem of `benchmarks.paper`. Every run is a line of one file; a
comparison that was stopped, or that is asked for more runs, goes on from there, unless the package has changed.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.campaigns.run import Run
from benchmarks.campaigns.spec import Spec
from benchmarks.peers.ours import fingerprint
from benchmarks.problems.experiments import make_task
from benchmarks.records import Record, gathered
from benchmarks.reports.stats import spread

Q = 4
SAFEGUARDS = ("verify_minimum", "variance_inflation", "noise_lower_bound", "sequential_batches", "measure_again")
FULL = "with all"
VARIANTS = {FULL: (), **{f"without {name}": (name,) for name in SAFEGUARDS}, "without any": SAFEGUARDS}
SETTINGS = ("noise-free/rosenbrock3", "noise-free/ackley5", "unsaid/hartmann6", "noisy/hartmann6")
KEY = ("version", "experiment", "problem", "method", "batches", "seed")

Job = tuple[str, str, str, str, int, int]  # as KEY


def method(variant: str) -> str:
    """The name under which `benchmarks.peers` knows it."""
    off = ",".join(f"{name}=False" for name in VARIANTS[variant])
    return f"qkg:{off}" if off else "qkg"


def perform(job: Job) -> list[Record]:
    """One run, as one line: log10 regret after the start and after every batch, and CPU seconds of all batches."""
    _, experiment, problem, name, batches, seed = job
    spec = Spec(experiment, problem, name, Q, seed, batches)
    run = Run(spec, make_task(experiment, problem, seed, None, ""))
    records = [run.batch(number) for number in range(batches + 1)]
    regret = [round(record["regret"], 6) for record in records]
    cpu = round(sum(record["timing"]["batch_cpu"] for record in records), 3)
    return [{**dict(zip(KEY, job, strict=True)), "regret": regret, "cpu": cpu}]


def jobs(version: str, settings: Sequence[str], runs: int, batches: int) -> Iterator[Job]:
    for seed in range(runs):
        for setting in settings:
            for variant in VARIANTS:
                yield version, *setting.split("/"), method(variant), batches, seed


def compared(runs: dict[int, Record], full: dict[int, Record], batch: int) -> str:
    """The mean paired difference in log10 regret over the starts, with its standard error; of `full` the regret."""
    if runs is full:
        return f"{spread(run['regret'][batch] for run in full.values())[0]:.2f}".replace("-", "−")
    if all(runs[seed]["regret"] == full[seed]["regret"] for seed in full):
        return "same"
    mean, error, _ = spread(runs[seed]["regret"][batch] - full[seed]["regret"][batch] for seed in full)
    return f"{mean:+.2f} ± {error:.2f}".replace("-", "−")


def table(lines: Sequence[Record], settings: Sequence[str]) -> str:
    """In Markdown, a row for each setting and variant; of q-KG with all safeguards the log10 regret itself."""
    groups: dict[tuple[str, str], dict[int, Record]] = {}
    for line in lines:
        groups.setdefault((f"{line['experiment']}/{line['problem']}", line["method"]), {})[line["seed"]] = line
    rows = ["| setting | q-KG | starts | half-way | at the end | CPU s |", "|---|---|---:|---:|---:|---:|"]
    for setting in settings:
        full = groups[setting, method(FULL)]
        for variant in VARIANTS:
            runs = groups[setting, method(variant)]
            last = next(iter(runs.values()))["batches"]
            middle, end = (compared(runs, full, batch) for batch in (last // 2, last))
            cpu = spread(run["cpu"] for run in runs.values())[0]
            rows.append(f"| {setting} | {variant} | {len(runs)} | {middle} | {end} | {cpu:.1f} |")
    return "\n".join(rows)


def options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ablation", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=4, help="starts")
    parser.add_argument("--batches", type=int, default=12, help="of 4, after the start")
    parser.add_argument("--settings", nargs="+", default=list(SETTINGS), metavar="EXPERIMENT/PROBLEM")
    parser.add_argument("--jobs", type=int, default=1, help="runs at a time, one thread each")
    parser.add_argument("--out", type=Path, default=Path("results/ablation.jsonl"))
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> None:
    chosen = options(arguments)
    wanted = jobs(fingerprint(), chosen.settings, chosen.runs, chosen.batches)
    print(table(gathered(chosen.out, KEY, wanted, perform, chosen.jobs), chosen.settings))
