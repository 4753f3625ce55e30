"""Verdicts on the paper's statements follow from paired differences, and the page is written from what is kept."""

import shutil
from dataclasses import asdict, replace

import numpy as np
import pytest

from benchmarks.problems.experiments import EXPERIMENTS, SYNTHETIC, make_task
from benchmarks.records import rewrite
from benchmarks.reports import keep, paper_page, trained
from benchmarks.reports.statements import (
    OTHERS,
    Terms,
    better_than_all,
    competitive,
    larger_with_noise,
    readings,
    settings,
    speed_up,
    worse_than_best,
)


def run(problem: str, method: str, seed: int, end: float, q: int = 4) -> keep.Run:
    """A run whose log10 regret falls in a line from 1 to about `end` after fifteen batches."""
    end += 0.1 * np.random.default_rng([seed, len(method)]).normal()
    values = [float(v) for v in np.linspace(1.0, end, 16)]
    return keep.Run(problem, "", method, q, seed, True, "2020-01-01", {}, list(range(16)), values, values, [0.1] * 15)


def terms(ahead: dict[str, float], runs: int = 12) -> Terms:
    """q-KG ends at −1 and every rival higher by `ahead` of its setting (else by 1), under both fits."""
    made = [
        run(problem, f"{method}{fit}", seed, -1.0 + (method != "qkg") * ahead.get(problem, 1.0))
        for problem in settings()
        for method in ("qkg", *OTHERS)
        for fit in ("+mle", "")
        for seed in range(runs)
    ]
    return Terms(keep.Kept(made, [], {}))


@pytest.mark.parametrize(("ahead", "verdict"), [(1.0, "holds"), (0.0, "not separable"), (-1.0, "does not hold")])
def test_better_means_better_than_each(ahead, verdict):
    found, figure = better_than_all(terms({"ackley5": ahead}), "ackley5", "+mle", 15)
    assert found == verdict
    assert "strongest" in figure


def test_worse_than_the_best_is_the_opposite_question():
    assert worse_than_best(terms({"branin": -1.0}), "branin", "", 15)[0] == "holds"
    assert worse_than_best(terms({"branin": 1.0}), "branin", "", 15)[0] == "does not hold"


def test_readings_say_by_which_rule_q_kg_is_ahead_and_in_how_many_starts():
    quiet = {f"noisy-{name}": 0.0 for name in SYNTHETIC}
    lines = readings(terms({}), terms(quiet))
    [said] = [line for line in lines if line.startswith("| our model, noise | recommendation")]
    assert said.count("**−1.") + said.count("**−0.9") == len(OTHERS)
    [said] = [line for line in lines if line.startswith("| our model, noise | best observed")]
    assert "**" not in said
    [said] = [line for line in lines if line.startswith("| our model, noise | starts ahead")]
    assert said.endswith("| 100 % | 100 % | 100 % | 100 % |")
    assert len(lines) == 2 + 2 * 2 * 3 + 1


def test_one_rival_ahead_anywhere_ends_being_competitive():
    noisy = [name for name in settings() if name.startswith("noisy-")]
    assert competitive(terms({}), noisy, "", 15)[0] == "holds"
    verdict, figure = competitive(terms({"noisy-branin": -1.0}), noisy, "", 15)
    assert verdict == "does not hold"
    assert "behind in 4: `qei` on noisy-branin" in figure


def test_the_advantage_with_noise_is_compared_with_that_without():
    more = dict.fromkeys((f"noisy-{name}" for name in SYNTHETIC), 2.0)
    less = dict.fromkeys((f"noisy-{name}" for name in SYNTHETIC), 0.0)
    assert [larger_with_noise(terms(each), "+mle", 15)[0] for each in (more, {}, less)] == [
        "holds",
        "not separable",
        "does not hold",
    ]


def test_few_starts_decide_nothing():
    assert better_than_all(terms({}, runs=9), "ackley5", "", 15) == ("not run", "–")


def test_a_speed_up_is_less_regret_after_as_many_iterations():
    runs = [run("branin", "qkg", seed, -float(q), q) for q in (1, 2, 4) for seed in range(10)]
    assert speed_up(keep.Kept(runs, [], {}), "branin", (1, 2, 4))[0] == "holds"
    assert speed_up(keep.Kept(runs, [], {}), "branin", (1, 2, 4, 8))[0] == "not run"


def test_noise_is_in_the_name_of_a_setting():
    assert not make_task("terms", "branin", 0, None, "").noisy
    assert make_task("terms", "noisy-branin", 0, None, "").noisy
    assert EXPERIMENTS["terms"].methods[:2] == ("qkg+mle", "qei+mle")


def test_the_page_has_a_verdict_for_every_statement(tmp_path):
    made = [
        run(p, f"{m}{fit}", s, -1.0)
        for p in settings()
        for m in ("qkg", *OTHERS)
        for fit in ("+mle", "")
        for s in range(10)
    ]
    rewrite(tmp_path / "terms.jsonl", map(asdict, made))
    for name in ("paper.md", "attainment.jsonl", "rivals.jsonl"):
        shutil.copy(keep.KEPT / name, tmp_path / name)
    page = paper_page.write(tmp_path, tmp_path).read_text()
    assert "<!--" not in page
    verdicts = [line for line in page.splitlines() if line.endswith(("holds** |", "hold** |", "separable** |"))]
    assert len(verdicts) == len(paper_page.MATHEMATICS) + 2 * 8
    assert "* Larger batches need fewer iterations, on noisy branin" in page


def test_trained_models_are_judged_by_their_errors(tmp_path):
    def made(method, seed, end):
        errors = [0.2 + 0.001 * seed, 0.15, 0.14, 0.13, 0.12, 0.11, 0.1, 0.1, 0.1, 0.1, end + 0.0001 * seed]
        return replace(run("mnist", method, seed, 0.0), values=errors, observed=errors)

    ends = {"qkg": 0.07, "qei": 0.08, "mc-ei": 0.09}
    for name in ("logreg", "logreg-noisy"):
        rewrite(tmp_path / f"{name}.jsonl", (asdict(made(m, s, end)) for m, end in ends.items() for s in range(5)))
    longer, noisy, net = trained.statements(tmp_path)
    assert (longer[3], noisy[3], net[3]) == ("holds", "holds", "not run")
    assert "to `qei`: **−1.00 [−1.00, −1.00]**, to `mc-ei`: **−2.00 [−2.00, −2.00]**; 5 starts" in noisy[2]
    assert noisy[2].endswith("with noise minus without: +0.00 [+0.00, +0.00]")
