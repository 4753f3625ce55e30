"""Measured data in spaces that are no boxes: what exists is asked for, and what is said about options is passed on."""

import numpy as np
import pytest
from scipy import stats

import knowgrad as kg
from benchmarks.campaigns import pooled, scores
from benchmarks.peers import PEERS
from benchmarks.problems import spaces, xgboost
from benchmarks.problems.images import DataError
from benchmarks.problems.task import Blended, Listed, Parameter, clean, knowgrad_space, start
from benchmarks.processes import ROOT
from benchmarks.reports.keep import Run

ROWS = [{"a": a / 10, "b": 1 - a / 10} for a in range(0, 11, 2)]


def test_a_list_is_the_space_and_the_nearest_row_stands_in():
    listed = Listed((Parameter("a"), Parameter("b")), ROWS)
    assert knowgrad_space(listed) == kg.Candidates(ROWS, features=["a", "b"])
    assert clean({"a": 0.5, "b": 0.2}, listed) == ROWS[4]  # 5/7 of a
    assert all(point in ROWS for point in start(listed, 0))


def test_a_mixture_adds_up_whoever_asks():
    mixed = Blended((Parameter("a", 15.0, 100.0), Parameter("b", 0.0, 85.0), Parameter("c", 0.0, 85.0)), 100.0)
    assert knowgrad_space(mixed).n_params == 2
    found = clean({"a": 0.0, "b": 85.0, "c": 85.0}, mixed)
    assert found == {"a": pytest.approx(15.0), "b": pytest.approx(42.5), "c": pytest.approx(42.5)}
    assert all(sum(point.values()) == pytest.approx(100.0) for point in start(mixed, 0))


def test_oxides_are_looked_up_in_millivolts(tmp_path):
    folder = tmp_path / "lab/olympus/oer_plate_3496"
    folder.mkdir(parents=True)
    parts = np.random.default_rng(0).dirichlet(np.ones(6), 20).round(3)
    np.savetxt(folder / "data.csv", np.column_stack([parts, np.linspace(0.3, 0.5, 20)]), delimiter=",")
    task = spaces.make("oer", 0.0, 0, tmp_path, "")
    assert task.truth(clean(dict(zip(spaces.METALS, parts[0], strict=True)), task.parameters)) == pytest.approx(0.0)
    assert task.truth(clean(dict(zip(spaces.METALS, parts[-1], strict=True)), task.parameters)) == pytest.approx(200.0)
    with pytest.raises(DataError):
        spaces.make("oer", 0.0, 0, tmp_path / "nowhere", "")


def test_descriptors_reach_the_choice():
    p = Parameter("solvent", options=("x", "y"), features=((1.0,), (2.0,)))
    assert knowgrad_space((p,)) == {"solvent": kg.Choice(["x", "y"], features=[[1.0], [2.0]])}
    assert "baybe" in PEERS


def test_what_does_not_exist_is_neither_asked_for_nor_evaluated():
    names = {p.name for p in xgboost.PARAMETERS}
    space = kg.Space(knowgrad_space(xgboost.PARAMETERS))
    assert space.usual_params == pytest.approx(6 + 6 * 2 / 3 + 2 / 3)
    points = start(xgboost.PARAMETERS, 0)
    assert len(points) == 2 * 11 + 2
    assert {len(point) for point in points} == {6, 12, 14}
    for point in points:
        assert space.validate(point) == point
        everything = {**dict.fromkeys(names, 0.5), **point}
        assert clean(everything, xgboost.PARAMETERS).keys() == point.keys()


def test_differences_are_paired_by_problem_and_start_and_pooled():
    def run(problem, method, seed, last):
        values = [9.0] * 16 + [last]
        return Run(problem, "", method, 4, seed, True, "", {}, list(range(17)), values, values, [0.0] * 16)

    ours = [run(problem, "qkg", seed, 1.0 + seed) for problem in "ab" for seed in range(2)]
    theirs = [run("a", "peer", 0, 3.0), run("a", "peer", 1, 1.0), run("b", "peer", 1, 4.0)]
    lines = pooled.table([*ours, *theirs])
    assert "| pooled | qkg | 4 | 9.00 | 9.00 | 1.50 |  |  |" in lines
    assert next(line for line in lines if line.startswith("| b | peer")).endswith("| +2.00 (+2.00 to +2.00) | 1, 0 |")
    gaps = np.array([2.0, -1.0, 2.0])
    half = stats.t.ppf(0.975, 2) * gaps.std(ddof=1) / np.sqrt(3)
    told = f"+1.00 ({1 - half:+.2f} to {1 + half:+.2f}) | 2, 1 |"
    assert next(line for line in lines if line.startswith("| pooled | peer")).endswith(told)
    assert f"| `peer` | 2.00 (2) | 4.00 (1) | 3 | {told} 0, 0, 0 |" in lines  # too few for a verdict on either


def test_a_task_is_ahead_level_or_behind_by_its_own_interval():
    def runs(problem, method, ends):
        return [
            Run(problem, "", method, 4, seed, True, "", {}, list(range(17)), values, values, [0.0] * 16)
            for seed, values in enumerate([9.0] * 16 + [end] for end in ends)
        ]

    ends = {"a": (2.0, 2.1, 1.9), "b": (0.5, 1.0, 1.5), "c": (0.0, 0.0, 0.0), "d": (0.1, 0.2, 0.1)}
    ours = [run for problem in ends for run in runs(problem, "qkg", (0.0, 0.0, 0.0) if problem == "c" else (1.0,) * 3)]
    theirs = [run for problem, each in ends.items() for run in runs(problem, "peer", each)]
    assert next(line for line in pooled.table([*theirs, *ours]) if line.startswith("| `peer`")).endswith("| 1, 2, 1 |")


@pytest.mark.parametrize(
    ("page", "experiment"),
    [("conditions", "xgboost"), ("descriptors", "descriptors"), ("candidates", "plate"), ("mixtures", "mixture")],
)
def test_a_page_has_what_is_printed_from_the_kept_runs(page, experiment, tmp_path, capsys):
    scores.main([experiment, "--out", str(tmp_path)])
    printed = capsys.readouterr().out.partition("\n\n")[0].splitlines()
    assert len(printed) > 3
    shown = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8").splitlines()
    assert [line for line in printed if line not in shown] == []
