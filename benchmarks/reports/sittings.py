"""One campaign of one version, over as many sittings as its hours need.

FOLDER/EXPERIMENT.jsonl   the runs so far, as in `keep`; committed after every sitting
FOLDER/campaign.json      the version of our code that chose every point of ours, and the commits that runs are of

A sitting does the runs that are not in FOLDER yet (`benchmarks.paper --campaign FOLDER`) and puts them there
(`benchmarks.report DIR --campaign FOLDER`). When nothing is missing, `--publish FOLDER` puts them in place of what is
kept.

Our runs depend on the hash of our code, those of others on their release and on our adapter: `versions` of a run says
both. All depend on the problem. So the runs of others count in the next campaign too; whether a problem has changed
since shows in the values that the runs of a seed begin with.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from benchmarks.peers import PEERS
from benchmarks.peers.ours import fingerprint
from benchmarks.problems.experiments import EXPERIMENTS
from benchmarks.processes import commit
from benchmarks.records import read_json, rewrite, write_json
from benchmarks.reports.keep import KEPT, Run, begin_anew, gather, runs_of

SPACES = ("descriptors", "plate", "mixture", "published", "xgboost")
ELSEWHERE = (*SPACES, "plates", "contexts", "unlike", "averages", "environment")  # not part of a campaign
PARTS = tuple(name for name in EXPERIMENTS if name not in ELSEWHERE)
NOTE = "campaign.json"


def strays(kept: Path) -> list[str]:
    """Runs that do not belong to the campaign, with the reason; before there is one, runs of ours that are of another
    version than the rest of their experiment."""
    runs = {name: runs_of(kept / f"{name}.jsonl") for name in EXPERIMENTS}
    campaign = read_json(kept / NOTE)
    found = []
    for name, rows in runs.items():
        if not campaign or name in ELSEWHERE:
            own = next((run.versions["knowgrad"] for run in rows if "knowgrad" in run.versions), None)
            others = [run for run in rows if run.versions.get("knowgrad", own) != own]
            found += [f"{name}: {run.key} is of another version than the rest" for run in others]
    if not campaign:
        return found
    found += list(_foreign({name: runs[name] for name in PARTS}, campaign))
    return found + [f"{name}: means without runs" for name in PARTS if (kept / f"{name}.earlier.jsonl").exists()]


def _foreign(runs: dict[str, list[Run]], campaign: dict[str, object]) -> Iterator[str]:
    versions: dict[str, dict[str, str]] = {}
    for name, rows in runs.items():
        starts: dict[object, object] = {}
        for run in rows:
            start = (run.evaluations[0], run.observed[0])
            if run.versions.get("knowgrad", campaign["knowgrad"]) != campaign["knowgrad"]:
                yield f"{name}: {run.key} is of version {run.versions['knowgrad']}, not {campaign['knowgrad']}"
            elif run.commit not in campaign["commits"]:
                yield f"{name}: {run.key} ran at commit {run.commit or 'unknown'}, none of the campaign's"
            elif versions.setdefault(run.method, run.versions) != run.versions:
                yield f"{name}: {run.key} ran with other libraries than the rest of {run.method}"
            elif starts.setdefault((run.problem, run.scale, run.seed), start) != start:
                yield f"{name}: {run.key} begins with another value than others of its seed"


def ready(folder: Path) -> None:
    """Refuse a sitting whose runs would not belong."""
    campaign, here, at = read_json(folder / NOTE), fingerprint(), commit()
    if not _whole(at):
        raise SystemExit("a campaign runs at a commit, with no changes beside it: commit or undo what git status shows")
    if campaign and campaign["knowgrad"] != here:
        remedy = f"run it where the code is that: git worktree add ../campaign {campaign['commits'][-1]}"
        raise SystemExit(f"the campaign is of version {campaign['knowgrad']}, this code is {here}; {remedy}")


def done(
    experiment: str, versions: dict[str, dict[str, str]], folder: Path, kept: Path = KEPT
) -> set[tuple[object, ...]]:
    """Keys and batches of the runs that an earlier sitting did or, of others' methods, an earlier campaign."""
    found = set()
    for run in (*_inherited(experiment, versions, kept), *runs_of(folder / f"{experiment}.jsonl")):
        here = versions.get(run.method, run.versions)
        if other := {name: release for name, release in run.versions.items() if here.get(name) != release}:
            raise SystemExit(f"the campaign has runs of {run.method} with {other}: install these, or delete the runs")
        found.add((*run.key, len(run.values) - 1))
    return found


def take(out: Path, folder: Path, kept: Path = KEPT) -> str:
    """Put the runs of a sitting into FOLDER, and say what is there; refused if a run does not belong."""
    before = {path: path.read_bytes() for path in folder.glob("*.json*")}
    for experiment in PARTS:
        methods = read_json(out / experiment / "methods.json")
        versions = {name: found["versions"] for name, found in methods.items() if "versions" in found}
        if inherited := {run.key: run for run in _inherited(experiment, versions, kept)}:
            path = folder / f"{experiment}.jsonl"
            runs = inherited | {run.key: run for run in runs_of(path)}
            rewrite(path, (asdict(runs[key]) for key in sorted(runs)))
        gather(out, experiment, folder)
    try:
        _note(folder)
    except SystemExit:
        for path in folder.glob("*.json*"):
            path.write_bytes(before[path]) if path in before else path.unlink()
        raise
    counts = {name: len(runs_of(folder / f"{name}.jsonl")) for name in PARTS}
    return ", ".join(f"{name} {count}" for name, count in counts.items() if count)


def publish(folder: Path, kept: Path) -> None:
    """Put a campaign in place of what is kept of its experiments. Those that it lacks are left out from now on."""
    _note(folder)
    for experiment in PARTS:
        begin_anew(experiment, kept)
    for path in sorted(folder.glob("*.json*")):
        path.replace(kept / path.name)
    folder.rmdir()


def _note(folder: Path) -> None:
    """What the runs are of; refused if that is not one version of ours, and commits."""
    runs = [run for name in PARTS for run in runs_of(folder / f"{name}.jsonl")]
    own = {run.versions["knowgrad"] for run in runs if "knowgrad" in run.versions}
    own |= {read_json(folder / NOTE).get("knowgrad", version) for version in own}
    if len(own) != 1 or not all(_whole(run.commit) for run in runs):
        unsaid = sum(not _whole(run.commit) for run in runs)
        raise SystemExit(
            f"a campaign is of one version at commits; found {sorted(own)}, and {unsaid} runs of no commit"
        )
    dates = {run.commit: run.date for run in runs}
    write_json(folder / NOTE, {"knowgrad": own.pop(), "commits": sorted(dates, key=lambda at: (dates[at], at))})
    if found := strays(folder):
        raise SystemExit("\n".join(["these runs do not belong to the campaign:", *found]))


def _inherited(experiment: str, versions: dict[str, dict[str, str]], kept: Path) -> list[Run]:
    """Runs of others' methods that are kept and would be the same today."""
    runs = [run for run in runs_of(kept / f"{experiment}.jsonl") if run.method in PEERS and _whole(run.commit)]
    return [run for run in runs if "adapter" in run.versions and run.versions == versions.get(run.method)]


def _whole(at: str) -> bool:
    return bool(at) and not at.endswith("+")
