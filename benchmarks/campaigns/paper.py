"""The paper's experiments: `python -m benchmarks.paper EXPERIMENT [--runs N] [--methods …] [--peers …] [--jobs J]`.

Every method starts from the same points for the same seed. A stopped campaign goes on where it was when the same
command is given again; more runs, batches or methods add to what is there. Runs that are complete are left alone, even
if the code has changed since; `--redo` does those anew. `python -m benchmarks.report DIR` shows the results.
"""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.campaigns.campaign import Campaign
from benchmarks.campaigns.spec import Spec
from benchmarks.peers import PEERS
from benchmarks.problems.experiments import EXPERIMENTS
from benchmarks.records import read_json, write_json
from benchmarks.reports import sittings


def options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.paper", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("experiment", choices=EXPERIMENTS)
    parser.add_argument("--runs", type=int, help="seeds 0, 1, …; each has its own start")
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--batches", type=int, help="after the start")
    parser.add_argument("--problems", nargs="+", help="only these problems of the experiment")
    parser.add_argument("--q", nargs="+", type=int, help="batch sizes (4; for speedup 1 2 4 8)")
    parser.add_argument("--methods", nargs="*", help="ours, as Study names them, or METHOD+FIT; else the paper's five")
    parser.add_argument("--peers", nargs="*", default=[], help=f"all, or some of {', '.join(PEERS)}")
    parser.add_argument("--jobs", type=int, default=1, help="runs at a time, one thread each")
    parser.add_argument("--data", type=Path, help="folder with mnist/ and cifar10/")
    parser.add_argument("--out", type=Path, default=Path("results"), help="folder of the results")
    parser.add_argument(
        "--campaign",
        type=Path,
        metavar="FOLDER",
        help="leave out runs that the campaign in FOLDER has; refuse other code",
    )
    parser.add_argument("--scale", default="", help="of cnn: full, small (the default) or tiny")
    parser.add_argument("--redo", action="store_true", help="do runs of other versions anew, complete ones too")
    parser.add_argument(
        "--python", nargs="*", default=[], metavar="PEER=PATH", help="the interpreter of a peer that needs its own"
    )
    chosen = parser.parse_args(arguments)
    _check(parser, chosen)
    return chosen


def _check(parser: argparse.ArgumentParser, chosen: argparse.Namespace) -> None:
    plan = EXPERIMENTS[chosen.experiment]
    chosen.peers = list(PEERS) if chosen.peers == ["all"] else chosen.peers
    if unknown := set(chosen.peers) - set(PEERS):
        parser.error(f"--peers: expected all or some of {', '.join(PEERS)}, got {', '.join(sorted(unknown))}")
    if unknown := set(chosen.problems or ()) - set(plan.problems):
        parser.error(f"--problems: expected some of {', '.join(plan.problems)}, got {', '.join(sorted(unknown))}")
    if any("=" not in pair for pair in chosen.python):
        parser.error("--python: expected PEER=PATH, for example hebo=.venv-hebo/bin/python")
    if chosen.experiment == "cnn":
        chosen.scale = chosen.scale or "small"
    elif chosen.scale:
        parser.error("--scale: only the experiment cnn has scales")
    for name in ("runs", "batches"):
        setattr(chosen, name, getattr(plan, name) if getattr(chosen, name) is None else getattr(chosen, name))
    if min(chosen.runs, chosen.batches, chosen.jobs) < 1:
        parser.error("--runs, --batches, --jobs: expected at least 1")


def specs(chosen: argparse.Namespace, methods: list[str]) -> list[Spec]:
    """Seed by seed, so that a campaign stopped early has compared everyone on the same starts."""
    plan = EXPERIMENTS[chosen.experiment]
    return [
        Spec(chosen.experiment, problem, method, q, seed, chosen.batches, chosen.scale)
        for seed in range(chosen.first_seed, chosen.first_seed + chosen.runs)
        for problem in chosen.problems or plan.problems
        for method in methods
        for q in chosen.q or plan.batch_sizes
    ]


def note_command(out: Path, experiment: str, arguments: list[str]) -> None:
    """The report shows the commands that were given, each with its last date."""
    path = out / experiment / "commands.json"
    shown = [re.sub(r"(^|=)/\S*?([^/]+(?:/bin/[^/]+)?)$", r"\1\2", a) for a in arguments]  # no folders of this machine
    command = f"python -m benchmarks.paper {shlex.join(shown)}"
    write_json(path, {**read_json(path), command: datetime.now(UTC).date().isoformat()})


def main(arguments: list[str] | None = None) -> None:
    given = sys.argv[1:] if arguments is None else arguments
    chosen = options(given)
    if chosen.campaign:
        sittings.ready(chosen.campaign)
    methods = list(EXPERIMENTS[chosen.experiment].methods) if chosen.methods is None else chosen.methods
    interpreters = dict(pair.split("=", 1) for pair in chosen.python)
    campaign = Campaign(chosen.out, chosen.data, chosen.jobs, interpreters, chosen.redo)
    note_command(chosen.out, chosen.experiment, given)
    methods = campaign.available([*methods, *chosen.peers], chosen.experiment)
    wanted = specs(chosen, methods)
    if chosen.campaign:
        found = read_json(chosen.out / chosen.experiment / "methods.json")
        versions = {method: found[method]["versions"] for method in methods}
        done = sittings.done(chosen.experiment, versions, chosen.campaign)
        wanted = [spec for spec in wanted if spec.key not in done]
    failed = campaign.carry_out(wanted)
    if failed:
        raise SystemExit(f"{len(failed)} runs failed; the reasons are in the files *.failed beside the results")
