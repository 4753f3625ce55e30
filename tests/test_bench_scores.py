"""Searches as published and with gross errors: their starts, their errors, and the scores of recorded ones."""

from dataclasses import replace

import numpy as np
from scipy import stats

from benchmarks.campaigns import compared, scores
from benchmarks.campaigns.spec import Spec
from benchmarks.problems.errors import SPREADS
from benchmarks.problems.experiments import EXPERIMENTS, first_points, make_task
from benchmarks.problems.functions import ALL
from benchmarks.records import rewrite
from benchmarks.reports import keep as keep_runs
from benchmarks.reports.keep import Run
from tests.test_bench_paper import fake


def record(problem, method, seed, batch, **rest):
    return {"problem": problem, "method": method, "seed": seed, "batch": batch, **rest}


def keep(out, experiment, records):
    for one in {(r["problem"], r["method"], r["seed"]) for r in records}:
        path = Spec(experiment, one[0], one[1], 4, one[2], 1).path(out)
        rewrite(path, [r for r in records if (r["problem"], r["method"], r["seed"]) == one])


def test_a_published_search_begins_with_five_different_points_by_chance():
    task = make_task("errors", "branin", 0, None, "")
    points = first_points("published", task, 3)
    assert len({str(point) for point in points}) == 5
    assert points == first_points("published", task, 3) != first_points("published", task, 4)
    assert len(first_points("errors", task, 3)) == 2 * len(task.parameters) + 2


def test_a_tenth_of_the_results_are_off_by_ten_spreads_and_the_others_have_the_noise_they_have_without():
    for name in EXPERIMENTS["errors"].problems[:6]:
        clean, wrong = (make_task("errors", problem, 1, None, "") for problem in (name, f"errors-{name}"))
        params = first_points("errors", clean, 0)[0]
        a, b = (np.array([task.evaluate(params, k)[0] for k in range(300)]) for task in (clean, wrong))
        off = np.abs(b - a) / ALL[name].sd
        assert clean.noisy
        assert wrong.noisy
        assert set(np.round(off, 6)) == {0.0, SPREADS}
        assert 15 < (off > 0).sum() < 50
        assert 0 < (b > a).sum() < (off > 0).sum()


def test_the_best_yields_of_recorded_searches(tmp_path, capsys):
    yields = [*np.linspace(0.0, 80.0, 15), *np.full(10, 90.0), *np.full(25, 99.5)]
    batches = [list(100.0 - np.array(yields[k : k + 5])) for k in range(0, 50, 5)]
    keep(tmp_path, "published", [record("arylation", "qkg", 0, k, observed=each) for k, each in enumerate(batches)])
    scores.main(["published", "--out", str(tmp_path)])
    assert "| qkg | 1 | 80.0 ± 0.0 | 90.0 ± 0.0 | 99.5 ± 0.0 | 100% |" in capsys.readouterr().out


def test_searches_are_paired_by_start_and_those_that_are_kept_score_as_they_did(tmp_path, capsys):
    def search(problem, method, seed, gain):
        """Fifty reactions, of which each is better than the one before."""
        yields = np.linspace(10.0 + seed, 90.0 + gain, 50)
        spec = Spec("descriptors", problem, method, 5, seed, 9)
        rng = np.random.default_rng(0)
        lines = [{**fake(spec, batch, 0.0, rng), "batch": batch} for batch in range(10)]
        for batch, line in enumerate(lines):
            line["observed"] = list(100.0 - yields[5 * batch : 5 * batch + 5])
            line["best"] |= {"value": line["observed"][-1], "regret": None}
            line |= {"value": line["observed"][-1], "regret": None, "evaluations": 5 * batch + 5}
        rewrite(spec.path(tmp_path), lines)

    for seed in range(3):
        search("arylation-described", "qkg", seed, 9.5)
        search("arylation-described", "baybe", seed, 4.5 + seed)
        search("arylation-shuffled", "qkg", seed, 9.0)
        search("arylation", "qkg", seed, 9.25)
    found = scores.published(scores.load(tmp_path, "descriptors"), None)
    keep_runs.gather(tmp_path, "descriptors", tmp_path)
    assert scores.published(scores.kept("descriptors", tmp_path), None) == found
    paired = [line for line in found if " minus " in line]
    names = [line.split("| ")[1].strip() for line in paired]
    assert names == [
        "arylation-described, baybe minus qkg",
        "qkg, arylation-described minus arylation",
        "qkg, arylation-shuffled minus arylation",
    ]
    half = stats.t.ppf(0.975, 2) / np.sqrt(3)
    assert f"| -4.0 ({-4 - half:+.1f} to {-4 + half:+.1f}) | |" in paired[0]
    assert paired[2].endswith("| -0.2 (-0.2 to -0.2) | |")


def test_ranks_and_paired_differences_of_recorded_searches(tmp_path, capsys):
    values = {"qkg": 1.0, "random": 3.0, "optuna-gp": 2.0}
    made = [
        record(problem, method, seed, batch, value=value + seed)
        for problem in ("p3ht", "crossed-barrel")
        for method, value in values.items()
        for seed in range(3)
        for batch in range(11)
    ]
    keep(tmp_path, "lab", made)
    scores.main(["lab", "--out", str(tmp_path)])
    found = capsys.readouterr().out
    assert "| p3ht, 10 | random | 3 | 4 | 3.00 | +2 (+2 to +2) |" in found
    assert "| mean of 2 problems, 3 | qkg | | | 1.00 | |" in found


def test_what_a_mixture_costs_beside_one_component_left_out(tmp_path, capsys):
    made = [
        record(problem, "qkg", seed, batch, value=value + seed)
        for problem, value in (("p3ht-mixture", 1.0), ("p3ht-left-out", 3.0))
        for seed in range(3)
        for batch in range(11)
    ]
    keep(tmp_path, "mixture", made)
    scores.main(["mixture", "--out", str(tmp_path)])
    assert "| p3ht-mixture minus p3ht-left-out, 10 | qkg | 3 | -2 | | -2 to -2 |" in capsys.readouterr().out


def test_what_errors_cost_recorded_searches(tmp_path, capsys):
    made = [
        record(prefix + "levy4", "qkg", seed, 1, regret=-1.0 + 0.1 * seed + 0.25 * bool(prefix))
        for prefix in ("", "errors-")
        for seed in range(4)
    ]
    keep(tmp_path, "errors", made)
    scores.main(["errors", "--out", str(tmp_path)])
    assert "| levy4 | qkg | 4 | -0.85 | -0.60 | +0.25 (+0.25 to +0.25) |" in capsys.readouterr().out


def campaign(problem, method, seed, values):
    """A run as it is kept."""
    counts = [4 * (k + 1) for k in range(len(values))]
    return Run(problem, "", method, 4, seed, True, "2026-11-18", {}, counts, values, values, [])


def test_experiments_until_a_shortfall_stays_below_a_level():
    runs = [campaign("bases", "@across", seed, [20.0, 8.0, 11.0, 7.0, 1.0]) for seed in range(3)]
    runs += [campaign("bases", "@apart", seed, [20.0, 20.0, 20.0, 8.0, 4.0]) for seed in range(3)]
    rows = compared.contexts(runs)
    assert rows[2] == "| bases | 10 | 3 | 16 | 16 | 1.00 (1.00 to 1.00) |"
    assert rows[3] == "| bases | 5 | 3 | 20 | 20 | 1.00 (1.00 to 1.00) |"
    assert np.isnan(compared.reached(np.array([[9.0, 6.0]]), [4, 8], 5.0))


def test_experiments_in_the_unlike_context_and_in_the_others():
    def of(problem, method, each):
        return [replace(campaign(problem, method, seed, [9.0] * len(each)), each=each) for seed in range(2)]

    ends = [[0.0, 0.0, 0.0, 8.0]] * 3
    runs = of("unlike", "@across", [[20.0] * 4] * 5 + ends)
    runs += of("unlike", "@apart", [[20.0] * 4] * 4 + [*ends, [0.0] * 4])
    runs += of("three", "@across", [[20.0] * 3] * 3 + [[0.0] * 3] * 5)
    rows = compared.unlike(runs)
    assert rows[2] == "| the unlike one | 10 | 2 | 4 | 4 | 1.00 (1.00 to 1.00) |"
    assert rows[4] == "| the three others | 10 | 2 | 20 | 16 | 1.25 (1.25 to 1.25) |"


def test_campaigns_side_by_side():
    runs = [
        campaign("p", method, seed, [9.0, gap + seed]) for method, gap in (("a", 1.0), ("b", 3.0)) for seed in range(4)
    ]
    rows = compared.beside(runs, "a", best=True)
    assert rows[2:] == ["| p | a | 4 | 2.50 |  |", "| p | b | 4 | 4.50 | -2.00 (-2.00 to -2.00), better |"]
