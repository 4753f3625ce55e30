"""docs/paper.md: the paper's statements one by one, each with its experiment, its figure and its verdict."""

from __future__ import annotations

from pathlib import Path

from benchmarks.problems.experiments import SYNTHETIC
from benchmarks.records import recorded
from benchmarks.reports import keep, trained
from benchmarks.reports.statements import (
    BATCHES,
    FITS,
    Terms,
    better_than_all,
    competitive,
    equal_terms,
    itself,
    larger_with_noise,
    readings,
    speed_up,
    worse_than_best,
)
from benchmarks.speed import attainment, rivals

TERMS = "`python -m benchmarks.paper terms`"
LAST, EARLY = BATCHES[-1], BATCHES[0]
NOISY = tuple(f"noisy-{name}" for name in SYNTHETIC)
Row = tuple[str, str, str, str]  # the statement, the experiment, the figure, the verdict

MATHEMATICS: list[Row] = [
    (
        "The IPA estimator of the gradient is unbiased (§5.2, appendix C).",
        "`tests/acquisition/test_factor.py::test_the_monte_carlo_gradient_is_unbiased`",
        "the mean of 3,000 estimates, of one normal each, against the gradient in closed form, for one point",
        "holds",
    ),
    (
        "Stochastic gradient ascent converges to a stationary point (appendix D).",
        "`tests/acquisition/test_qkg_paper.py::test_the_ascent_converges_to_a_stationary_point`",
        "from random batches; the picture below",
        "holds",
    ),
    (
        "Without noise, and with only measured points to choose from, q-KG is parallel EI (§4).",
        "`tests/acquisition/test_factor.py::test_noise_free_on_observed_and_candidate_points_it_is_parallel_ei`",
        "the same number by both formulas, for one point and for three",
        "holds",
    ),
    (
        "Points still running are part of the batch; only the new ones are moved (appendix A).",
        "`tests/acquisition/test_factor.py::test_pending_points_are_a_part_of_the_batch`",
        "q-KG of p + q points is the same however they are divided",
        "holds",
    ),
]


def statements(terms: Terms, speedup: keep.Kept) -> list[Row]:
    """Those that an experiment decides."""
    rows: list[Row] = []
    for title, fit in FITS.items():
        for name in SYNTHETIC[1:]:
            verdict, figure = better_than_all(terms, name, fit, LAST)
            rows.append((f"Without noise q-KG is better on {name}; {title}.", TERMS, figure, verdict))
        verdict, figure = worse_than_best(terms, "branin", fit, LAST)
        rows.append((f"Without noise q-KG is slightly worse than the best on branin; {title}.", TERMS, figure, verdict))
        for name in ("rosenbrock3", "ackley5"):
            verdict, figure = better_than_all(terms, name, fit, EARLY)
            said = f"Without noise q-KG is far ahead early on {name} (after {EARLY} batches); {title}."
            rows.append((said, TERMS, figure, verdict))
        verdict, figure = competitive(terms, NOISY, fit, LAST)
        rows.append((f"With noise q-KG is better or competitive everywhere; {title}.", TERMS, figure, verdict))
        verdict, figure = larger_with_noise(terms, fit, LAST)
        rows.append((f"The advantage is larger with noise than without; {title}.", TERMS, figure, verdict))
    for problem in ("branin", "hartmann6"):
        verdict, figure = speed_up(speedup, problem, (1, 2, 4, 8))
        said = f"Larger batches need fewer iterations, on noisy {problem} (appendix B)."
        rows.append((said, "`python -m benchmarks.paper speedup`", figure, verdict))
    return rows


def table(rows: list[Row]) -> list[str]:
    lines = ["| statement | shown by | figure | verdict |", "|---|---|---|---|"]
    return [*lines, *(f"| {' | '.join(row[:3])} | **{row[3]}** |" for row in rows), ""]


def missing(said: list[str]) -> list[str]:
    """The statements of which there are no runs."""
    return ["Not decided yet, because there are no runs:", "", *(f"* {each}" for each in said), ""] if said else []


def write(docs: Path, kept: Path) -> Path | None:
    """The page, if there are runs of `terms`: the words kept beside them, with the tables in their places."""
    terms = Terms(keep.load("terms", kept))
    words = kept / "paper.md"
    if terms.starts() == (0, 0) or not words.exists():
        return None
    observed = Terms(keep.load("terms", kept), observed=True)
    rows = [*statements(terms, keep.load("speedup", kept)), *trained.statements(kept)]
    parts = {
        "starts": " to ".join(map(str, sorted(set(terms.starts())))),
        "mathematics": "\n".join(table(MATHEMATICS)),
        "statements": "\n".join(table([row for row in rows if row[3] != "not run"])),
        "missing": "\n".join(missing([row[0] for row in rows if row[3] == "not run"])),
        "attainment": attainment.table(recorded(kept / "attainment.jsonl"), ["qkg", "qkg-paper"]),
        "rivals": rivals.table(recorded(kept / "rivals.jsonl")),
        "readings": "\n".join(readings(terms, observed)),
        "itself": "\n".join(itself(terms)),
        "terms": "\n".join(equal_terms(terms)),
    }
    text = words.read_text(encoding="utf-8")
    for name, part in parts.items():
        text = text.replace(f"<!-- {name} -->", part)
    path = docs / "paper.md"
    path.write_text(text, encoding="utf-8")
    return path
