"""The bench of the package's own claims: problems with a known truth, searches run once, states judged, tables."""

import math

import pytest

from benchmarks.claims import compare, keep, problems, report
from benchmarks.claims.judge import states
from benchmarks.claims.searches import KEY, search
from benchmarks.records import recorded

SMALL = ("noise 10 %", "camel2, 10 %", "qkg", 0, 1)


def test_there_are_at_least_thirty_problems_of_every_kind_that_was_promised():
    assert sum(len(problems.names(kind)) for kind in problems.KINDS) >= 30
    assert all(len(problems.names(kind)) >= 5 for kind in problems.KINDS)


@pytest.mark.parametrize(
    ("kind", "problem"),
    [("exact", "branin, exact"), ("noise 50 %", "bowl6, 50 %"), ("constrained", "camel2, constrained")],
)
def test_the_truth_of_a_problem_is_not_below_its_optimum_and_noise_is_drawn_by_number(kind, problem):
    case = problems.make(kind, problem, 3, None)
    points = [case.space.decode(u) for u in case.space.sample(50, problems.np.random.default_rng(0))]
    assert all(case.truth(point) >= case.optimum for point in points)
    assert case.observe(points[0], 4) == case.observe(points[0], 4)
    assert (case.observe(points[0], 4) == case.truth(points[0])) == (case.noise == 0.0)
    assert case.said == (0.0 if kind == "exact" else "learned")


def test_a_constrained_optimum_is_found():
    """The half-space cuts off nothing of Branin but one of three equal minima."""
    assert problems.lowest("branin", ("x1 + x2 >= 0.75", "x2 <= 0.7")) == pytest.approx(0.397887, abs=1e-4)


def test_a_search_can_be_judged_again_without_being_run():
    line = search(SMALL, None)[0]
    case = problems.make(*SMALL[:2], 0, None)
    found = list(states(line, case))
    assert [len(state.trials) for state in found] == [6, 10]
    assert {trial.value for trial in found[-1].trials} == set(line["observed"])
    assert tuple(line[name] for name in KEY) == SMALL


def test_the_command_runs_judges_keeps_and_goes_on(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(keep, "KEPT", tmp_path / "kept.jsonl")
    monkeypatch.setattr(compare, "keep", lambda lines: keep.keep(lines, tmp_path / "kept.jsonl"))
    arguments = ["--problems", "camel2, 10 %", "--runs", "1", "--batches", "1", "--out", str(tmp_path), "--keep"]
    compare.main(arguments)
    first = capsys.readouterr().out
    files = [tmp_path / name for name in ("searches.jsonl", "judged.jsonl")]
    before = [path.read_bytes() for path in files]
    compare.main(arguments)
    assert [path.read_bytes() for path in files] == before
    assert "| noise 10 % | 2 |" in first
    assert report.report(keep.kept(tmp_path / "kept.jsonl")) in first
    assert len(recorded(tmp_path / "kept.jsonl")) == 1


def state(batch, **more):
    usual = {"kind": "exact", "problem": "p", "seed": 0, "batch": batch, "spread": 1.0, "trusted": True, "noise": 0.5}
    said = {"mean": 0.0, "sd": 1.0, "true": 0.0, "gain": 0.25, "noise_interval": (0.4, 0.6)}
    regret = dict.fromkeys(("recommended", *report.PEERS), 1.0)
    return usual | said | {"regret": regret} | more


def test_what_holds_and_what_was_realised_is_counted():
    lines = [state(b, true=1.5 - 0.5 * b) for b in range(4)] + [state(4, true=-0.5, mean=2.0)]
    assert [report.holds(line) for line in lines] == [True, True, True, True, False]
    mean, median = report.gains(lines)
    assert mean == pytest.approx(2.0)  # from 1.5 to −0.5, where a quarter was said four times
    assert median == pytest.approx(2.0)
    assert report.gains([*lines, state(5, true=-1e9)])[0] == pytest.approx(3.0 / 1.25)
    assert "| exact | 5 | 80% |" in report.claims(lines)


def test_a_rule_that_is_worse_on_every_start_is_a_step_back():
    def line(batch, seed, regret):
        return state(batch, seed=seed, regret={"recommended": regret, **dict.fromkeys(report.PEERS, 1.0)})

    worse = [line(b, seed, 1.3 + 0.1 * seed) for seed in range(4) for b in range(3)]
    assert [text.split(" against ")[1] for text in report.steps_back(worse)] == list(report.PEERS)
    mixed = [line(b, seed, 2.0 if seed % 2 else 0.5) for seed in range(4) for b in range(3)]
    assert report.steps_back(mixed) == []
    assert report.worse(worse, "recommended", report.PEERS[0]) == "100%"
    assert math.isclose(report.log_regrets(worse, "recommended")["p", 0], math.log10(1.3))
