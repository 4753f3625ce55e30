"""What a study says in a recorded state, held against the truth: a line for each batch of a search."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks.claims.problems import Case, make
from benchmarks.claims.rules import RULES, minimum
from benchmarks.claims.searches import KEY, Q
from benchmarks.peers.ours import fingerprint
from benchmarks.records import Record, gathered
from knowgrad.advisor.snapshot import Snapshot
from knowgrad.trial import Settings, Trial

JUDGED = (*KEY, "version")


def states(found: Record, case: Case) -> Iterator[Snapshot]:
    """The study after the start, and after each batch."""
    pairs = zip(found["points"], found["observed"], strict=True)
    trials = [Trial(str(i), i, params, "complete", value=value) for i, (params, value) in enumerate(pairs)]
    settings = Settings(found["seed"], noise=case.said, method=found["method"])
    for n in range(found["start"], len(trials) + 1, Q):
        yield Snapshot(case.space, trials[:n], settings)


def judge(job: tuple[object, ...], recorded: dict[tuple[object, ...], Record], data: Path | None) -> list[Record]:
    """One search. Values are in the function's own units, and what is recommended by each rule is its true regret."""
    found = recorded[job[: len(KEY)]]
    case = make(found["kind"], found["problem"], found["seed"], data)
    lines = []
    for batch, state in enumerate(states(found, case)):
        said, diagnosis, low = state.recommendation, state.diagnostics, minimum(state)
        chosen = {name: state.space.decode(rule(state, low)) for name, rule in RULES.items()}
        regrets = {name: case.truth(params) - case.optimum for name, params in chosen.items()}
        lines.append(
            dict(zip(JUDGED, job, strict=True))
            | {"batch": batch, "n": said.n_observed, "spread": state.spread, "trusted": diagnosis.trusted}
            | {"mean": said.mean, "sd": said.sd, "true": case.truth(said.params), "gain": float(state.gain(Q))}
            | {"noise": case.noise, "noise_interval": diagnosis.noise_interval, "regret": regrets}
        )
    return lines


def judged(out: Path, found: list[Record], data: Path | None, processes: int) -> list[Record]:
    """The lines of these searches by this version, after those were judged that were not."""
    recorded = {tuple(line[name] for name in KEY): line for line in found}
    jobs = [(*key, fingerprint()) for key in recorded]
    return gathered(out, JUDGED, jobs, partial(judge, recorded=recorded, data=data), processes)
