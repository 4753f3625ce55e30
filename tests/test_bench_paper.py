"""The proving ground: starts, resuming, data files and the report."""

import gzip
import hashlib
import json
import os
import shutil
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from benchmarks import peers
from benchmarks.campaigns import paper, run
from benchmarks.campaigns.spec import Spec, load
from benchmarks.claims.rules import minimum
from benchmarks.inference import recommendations
from benchmarks.peers import PEERS, is_pure
from benchmarks.problems import images, sgd
from benchmarks.problems.experiments import EXPERIMENTS, make_task
from benchmarks.problems.logreg import LogisticRegression, train
from benchmarks.problems.task import Parameter, clean, knowgrad_space, start
from benchmarks.processes import ROOT
from benchmarks.records import recorded, write_json
from benchmarks.reports import figures, keep, names, report
from benchmarks.reports.stats import Contender, difference
from knowgrad import Study


def lines(folder):
    """All results, by file, without what depends on the clock."""
    found = {}
    for path in sorted(folder.rglob("*.jsonl")):
        found[str(path.relative_to(folder))] = [{**record, "timing": None} for record in recorded(path)]
    return found


def perform(spec, out, batches=None):
    run.perform(Spec(**{**spec.__dict__, "batches": batches or spec.batches}), out, None)


def test_a_start_is_evaluated_once_for_all_methods(tmp_path, monkeypatch):
    first = Spec("noisy", "branin", "random", 2, 0, 1)
    second = Spec("noisy", "branin", "qkg", 2, 0, 1)
    perform(first, tmp_path)
    perform(second, tmp_path / "alone")
    begun = []
    made = make_task("noisy", "branin", 0, None, "")
    evaluate = type(made).evaluate
    monkeypatch.setattr(type(made), "evaluate", lambda task, x, k: begun.append(k) or evaluate(task, x, k))
    perform(second, tmp_path)
    assert begun == [6, 7], "the six points of the start come from the other method"
    alone = recorded(second.path(tmp_path / "alone"))
    assert [{**r, "timing": 0} for r in recorded(second.path(tmp_path))] == [{**r, "timing": 0} for r in alone]


@pytest.mark.parametrize(
    "experiment", ["beyond", "beyond-noisy", "unseen", "unseen-noisy", "idle", "multiplicative", "heavy"]
)
def test_functions_beyond_the_paper_have_their_kind_of_noise(experiment):
    for problem in EXPERIMENTS[experiment].problems:
        task = make_task(experiment, problem, 0, None, "")
        params = start(task.parameters, 0)[0]
        values = [task.evaluate(params, k)[0] for k in range(200)]
        true = task.truth(params)
        assert true >= task.optimum
        assert task.evaluate(params, 7) == (values[7], true), "the luck of an evaluation depends on its number alone"
        assert (len(set(values)) > 1) == (EXPERIMENTS[experiment].noise != "exact")
        if experiment == "multiplicative":
            assert np.std(np.log(np.array(values) / true)) == pytest.approx(0.5, rel=0.2)
        else:
            assert abs(np.median(values) - true) <= 0.2 * np.std(values) + 1e-12 * abs(true)


class TestRuns:
    SPEC = Spec("noisy", "branin", "qkg", 2, 3, 3)

    @pytest.mark.parametrize("method", ["random", "qkg"])
    def test_a_run_in_two_parts_equals_a_run_in_one(self, tmp_path, method):
        spec = Spec("noisy", "branin", method, 2, 3, 3)
        perform(spec, tmp_path / "whole")
        perform(spec, tmp_path / "parts", batches=1)
        with spec.path(tmp_path / "parts").open("a") as file:
            file.write('{"torn": ')
        perform(spec, tmp_path / "parts")
        assert lines(tmp_path / "whole") == lines(tmp_path / "parts")

    def test_a_method_that_cannot_go_on_begins_anew_and_keeps_its_evaluations(self, tmp_path, monkeypatch):
        spec = Spec("noise-free", "branin", "random", 2, 0, 2)
        perform(spec, tmp_path / "whole")
        perform(spec, tmp_path / "parts", batches=1)
        monkeypatch.setattr(run.peers, "is_pure", lambda name: False)
        made = []
        monkeypatch.setattr(run, "make_task", lambda *args: counting(make_task(*args), made))
        perform(spec, tmp_path / "parts")
        assert lines(tmp_path / "whole") == lines(tmp_path / "parts")
        assert made == [8, 9]

    def test_complete_runs_are_left_alone_unless_other_code_is_to_be_redone(self, tmp_path, monkeypatch):
        spec = Spec("noise-free", "branin", "random", 2, 0, 1)
        perform(spec, tmp_path)
        before = spec.path(tmp_path).read_bytes()
        perform(spec, tmp_path)
        monkeypatch.setattr(run.peers, "versions", lambda name: {"knowgrad": "another"})
        perform(spec, tmp_path)
        assert spec.path(tmp_path).read_bytes() == before
        run.perform(spec, tmp_path, None, redo=True)
        assert {record["versions"]["knowgrad"] for record in recorded(spec.path(tmp_path))} == {"another"}

    def test_the_record_says_what_was_recommended_and_its_regret(self, tmp_path):
        perform(self.SPEC, tmp_path, batches=1)
        first, second = recorded(self.SPEC.path(tmp_path))
        assert (first["evaluations"], second["evaluations"]) == (6, 8)
        assert second["regret"] == second["model"]["regret"]
        low = min(zip(first["observed"], first["true"], strict=True))
        assert first["best"]["value"] == low[1]
        assert second["timing"]["batch_cpu"] > 0


def counting(task, made):
    """The task, with the numbers of the evaluations that were really made."""
    evaluate = task.evaluate
    task.evaluate = lambda params, k: (made.append(k), evaluate(params, k))[1]
    return task


def command(out, *more):
    options = ["noisy", "--runs", "3", "--batches", "8", "--problems", "branin", "--methods", "random"]
    return [sys.executable, "-m", "benchmarks.paper", *options, "--jobs", "2", "--out", str(out), *more]


def test_a_killed_campaign_ends_as_an_undisturbed_one(tmp_path):
    subprocess.run(command(tmp_path / "whole"), cwd=ROOT, check=True, capture_output=True)
    killed = subprocess.Popen(command(tmp_path / "killed"), cwd=ROOT, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while len(load(tmp_path / "killed", "noisy")) < 5 and time.monotonic() < deadline:
        time.sleep(0.02)
    os.kill(killed.pid, signal.SIGKILL)
    killed.wait()
    subprocess.run(command(tmp_path / "killed"), cwd=ROOT, check=True, capture_output=True)
    whole, resumed = lines(tmp_path / "whole"), lines(tmp_path / "killed")
    assert len(whole) == 3
    assert whole == resumed


def test_a_missing_library_is_reported_and_the_rest_is_run(tmp_path, capsys):
    folder = tmp_path / "results"
    options = ["--runs", "1", "--batches", "1", "--problems", "branin", "--methods", "random", "no-such-method"]
    paper.main(["noise-free", *options, "--out", str(folder)])
    assert "no-such-method cannot be run" in capsys.readouterr().err
    report.write(folder, tmp_path / "docs", tmp_path / "kept")
    page = (tmp_path / "docs" / "results" / "noise-free.md").read_text()
    assert "`no-such-method` could not be run: ArgumentError" in page
    assert str(tmp_path) not in page


class TestStarts:
    def test_every_method_begins_with_the_same_points_and_noise(self, tmp_path):
        firsts = []
        for method in ("random", "qkg"):
            spec = Spec("noisy", "branin", method, 4, 5, 1)
            perform(spec, tmp_path)
            firsts.append(recorded(spec.path(tmp_path))[0])
        assert firsts[0]["points"] == firsts[1]["points"]
        assert firsts[0]["observed"] == firsts[1]["observed"]
        assert firsts[0]["observed"] != firsts[0]["true"]

    def test_two_d_plus_two_points_that_differ_by_seed(self):
        parameters = (Parameter("n", 1, 9, integer=True), Parameter("x", -1.0, 1.0))
        points = start(parameters, 0)
        assert len(points) == 6
        assert all(isinstance(point["n"], int) and -1 <= point["x"] <= 1 for point in points)
        assert points == start(parameters, 0)
        assert points != start(parameters, 1)

    def test_answers_are_brought_into_the_domain(self):
        parameters = (Parameter("n", 1, 9, integer=True), Parameter("x", -1.0, 1.0))
        assert clean({"n": np.float64(3.6), "x": 1.0000001}, parameters) == {"n": 4, "x": 1.0}


def test_ours_can_go_on_and_peers_cannot():
    assert is_pure("qkg")
    assert not any(map(is_pure, PEERS))


def idx_file(path, array):
    head = struct.pack(f">HBB{array.ndim}I", 0, 8, array.ndim, *array.shape)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(gzip.compress(head + array.astype(np.uint8).tobytes(), mtime=0))
    return hashlib.md5(path.read_bytes()).hexdigest()


@pytest.fixture
def small_mnist(tmp_path):
    """Images whose bright pixel says their class."""
    sums = {}
    for part, n in (("train", 400), ("t10k", 1200)):
        labels = np.arange(n) % 10
        images = np.zeros((n, 4, 4))
        images.reshape(n, 16)[np.arange(n), labels] = 255
        for kind, array in (("images-idx3", images), ("labels-idx1", labels)):
            name = f"{part}-{kind}-ubyte.gz"
            sums[name] = idx_file(tmp_path / "mnist" / name, array)
    return tmp_path, sums


class TestData:
    def test_idx_files_are_read(self, small_mnist):
        train, labels, test, _ = images.mnist(*small_mnist)
        assert train.shape == (400, 16)
        assert test.shape == (1200, 16)
        assert (train.argmax(axis=1) == labels).all()

    def test_another_checksum_is_refused_in_words(self, small_mnist):
        with pytest.raises(images.DataError, match=r"expected MD5 .* got .*get it anew"):
            images.mnist(small_mnist[0])

    def test_missing_files_are_said_to_be_missing_and_where_they_belong(self, tmp_path):
        with pytest.raises(images.DataError, match=r"no such file; .*DIR/mnist"):
            images.mnist(tmp_path)
        with pytest.raises(images.DataError, match="expected --data DIR"):
            images.cifar10(None)

    def test_a_header_that_promises_more_is_refused(self, tmp_path):
        path = tmp_path / "short.gz"
        path.write_bytes(gzip.compress(struct.pack(">HBBI", 0, 8, 1, 5) + b"abc"))
        with pytest.raises(images.DataError, match="promises"):
            images.idx(path, hashlib.md5(path.read_bytes()).hexdigest())

    def test_cifar_batches_are_read_and_their_size_is_checked(self, tmp_path):
        folder = tmp_path / "cifar10"
        folder.mkdir()
        record = bytes([7]) + bytes(range(256)) * 12
        for name, n in (("data_batch_1.bin", 2), ("data_batch_3.bin", 2), ("test_batch.bin", 2)):
            (folder / name).write_bytes(record * n)
        pictures, labels, test, _ = images.cifar10(tmp_path, records=2)
        assert pictures.shape == (4, 3, 32, 32)
        assert labels.tolist() == [7] * 4
        assert test[0].ravel()[:3].tolist() == [0, 1, 2]
        with pytest.raises(images.DataError, match="expected 30730000 bytes"):
            images.cifar10(tmp_path)


class TestLogisticRegression:
    def test_one_step_is_the_gradient_of_the_loss(self):
        rng = np.random.default_rng(0)
        X = rng.random((6, 3)).astype(np.float32)
        Y = np.eye(2, dtype=np.float32)[:, rng.integers(2, size=6)]

        def loss(W):
            scores = W @ X.T
            return (np.log(np.exp(scores).sum(axis=0)) - (scores * Y).sum(axis=0)).mean() + 0.15 * (W[:, :2] ** 2).sum()

        W = train(X, Y, 6, 1, 0.3, 0.5).astype(float)
        step = train(X, Y, 6, 2, 0.3, 0.5) - W
        for at in np.ndindex(W.shape):
            h = np.zeros_like(W)
            h[at] = 1e-5
            assert step[at] == pytest.approx(-0.5 * (loss(W + h) - loss(W - h)) / 2e-5, abs=1e-5)

    @pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
    def test_the_compiled_steps_are_the_same_steps(self):
        rng = np.random.default_rng(0)
        X = (rng.random((50, 9)) * (rng.random((50, 9)) < 0.4)).astype(np.float32)
        X[:, -1] = 1
        labels = np.arange(50, dtype=np.uint8) % 10
        Y = np.eye(10, dtype=np.float32)[:, labels]
        for steps in [(7, 30, 0.1, 0.5), (50, 3, 0.0, 1.0), (1, 200, 1.0, 0.3)]:
            np.testing.assert_allclose(sgd.train(sgd.Inked.of(X, labels), *steps), train(X, Y, *steps), atol=1e-5)
        assert np.nextafter(0.0, 1.0) * 1.0 > 0.0, "the arithmetic of this process is as it was"

    def test_it_learns_and_small_tests_are_noisy(self, small_mnist, monkeypatch):
        folder, sums = small_mnist
        monkeypatch.setattr("benchmarks.problems.logreg.mnist", lambda data: images.mnist(data, sums))
        task = LogisticRegression(folder, noisy=True, seed=0)
        untrained = {"batch_size": 40, "iterations": 100, "l2": 0.0, "learning_rate": 0.0}
        observed, true = task.evaluate(untrained, 0)
        assert true == 0.9
        assert observed != task.evaluate(untrained, 1)[0]
        assert observed == task.evaluate(untrained, 0)[0]
        assert task.truth({**untrained, "learning_rate": 0.5}) == 0.0


def synthetic_results(out):
    """Two problems, four methods; one of them ahead of q-KG on branin."""
    rng = np.random.default_rng(0)
    for problem, method, level in [
        ("branin", "qkg", -1.0),
        ("branin", "qei", -2.0),
        ("branin", "random", 1.0),
        ("hartmann6", "qkg", -2.0),
        ("hartmann6", "random", 0.0),
    ]:
        for seed in range(6):
            spec = Spec("noisy", problem, method, 4, seed, 4)
            path = spec.path(out)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(json.dumps(fake(spec, batch, level, rng)) + "\n" for batch in range(5)))
    write_json(out / "noisy" / "methods.json", {"hebo": {"reason": "ModuleNotFoundError: No module named 'hebo'"}})


def fake(spec, batch, level, rng):
    regret = 2 + (level - 2) * batch / 4 + 0.1 * rng.normal()
    told = {"params": {}, "value": 10**regret, "regret": regret}
    timing = {"date": "2020-01-02T03:04:05+00:00", "batch_cpu": 0.25}
    row = {"batch": batch, "evaluations": 6 + 4 * batch, "model": told, "best": told, **told, "timing": timing}
    return {**spec.__dict__, "scale": "", **row, "versions": {"knowgrad": "0"}}


class TestReport:
    @pytest.fixture
    def places(self, tmp_path, monkeypatch):
        monkeypatch.setattr(figures, "available", lambda: False)
        synthetic_results(tmp_path / "results")
        return tmp_path / "results", tmp_path / "docs", tmp_path / "kept"

    def test_it_counts_where_q_kg_is_ahead_and_where_it_is_not(self, places):
        page = report.write(*places).read_text()
        assert "| `random`, ours | 2 | 2 | 0 | 0 |" in page
        assert "| `qei`, ours | 1 | 0 | 0 | 1 |" in page
        assert "[Noisy synthetic functions, sd 0.5](results/noisy.md) | 2 |" in page

    def test_a_page_for_each_experiment_says_version_command_and_who_could_not_be_run(self, places):
        report.write(*places)
        page = (places[1] / "results" / "noisy.md").read_text()
        assert "Version: knowgrad 0; run 2 January 2020. With" in page
        assert "python -m benchmarks.paper noisy --runs 6 --methods qkg qei random" in page
        assert "HEBO could not be run: ModuleNotFoundError" in page
        rows = [line.split(" | ") for line in page.splitlines() if line.startswith("| `qei` | 6 |")]
        assert float(rows[0][3].split("**")[1].replace("−", "-")) == pytest.approx(-2, abs=0.2)
        assert float(rows[0][4].split()[0].replace("−", "-")) == pytest.approx(-1, abs=0.2)
        assert page.index("## branin") < page.index("## hartmann6")

    def test_it_can_be_written_again_from_what_is_kept(self, places, tmp_path):
        results, docs, kept = places
        page = report.write(results, docs, kept).read_text()
        assert report.write(None, docs, kept).read_text() == page
        spec = Spec("noisy", "branin", "random", 4, 6, 4)
        more = [fake(spec, batch, 1.0, np.random.default_rng(1)) for batch in range(5)]
        spec.path(tmp_path / "more").parent.mkdir(parents=True)
        spec.path(tmp_path / "more").write_text("".join(json.dumps(line) + "\n" for line in more))
        report.write(tmp_path / "more", docs, kept)
        again = (docs / "results" / "noisy.md").read_text()
        assert "| `random` | 7 |" in again
        assert again.count("| knowgrad (q-KG) | 6 |") == 2

    def test_means_without_runs_are_compared_by_both_standard_errors(self, places):
        lost = {"problem": "branin", "q": 4, "evaluations": [6, 10, 14, 18, 22], "date": "2019-01-01", "by_model": True}
        lost |= {"mean": [2.0, 1.5, 1.0, 0.5, 0.25], "se": [0.1] * 5, "sd": [0.3] * 5, "observed": 0.5, "cpu": 9.0}
        places[2].mkdir()
        lines = [json.dumps({**lost, "method": "ax", "runs": 5, "gap": [9.0, 8.0, 10.0]})]
        (places[2] / "noisy.earlier.jsonl").write_text("\n".join(lines) + "\n")
        report.write(*places)
        page = (places[1] / "results" / "noisy.md").read_text()
        found = next(line for line in page.splitlines() if line.startswith("| Ax | 5 |"))
        assert "**0.25** ± 0.10 | +1.2" in found
        assert "9.00" not in found.split(" | ")[4], "the difference to another version of q-KG is not taken over"

    def test_figures(self, tmp_path):
        if not figures.available():
            pytest.skip("matplotlib is part of the benchmark environment only")
        synthetic_results(tmp_path / "results")
        report.write(tmp_path / "results", tmp_path / "docs", tmp_path / "kept")
        drawn = sorted(path.name for path in (tmp_path / "docs" / "results").glob("*.svg"))
        assert drawn == ["noisy-own.svg", "noisy-rivals.svg"]

    def test_figures_have_few_lines_and_the_lowest_of_each_kind(self):
        def ends_at(method, level):
            runs = [
                keep.Run("p", "", method, 4, s, True, "", {}, [1, 2], [1.0, level], [1.0, 1.0], [0]) for s in (0, 1)
            ]
            return Contender(method, 4, dict(enumerate(runs)))

        group = [ends_at("qkg", 0.0), *(ends_at(name, i) for i, name in enumerate(PEERS))]
        assert [one.name for one in figures.chosen(group, group[1:])] == ["qkg", *list(PEERS)[:4]]
        kinds = [names.kind(Contender(name, 4)) for name in ("qkg", "qei+mle", "ax", "thompson")]
        assert kinds == ["", "rivals", "peers", "own"]

    def test_a_method_may_be_followed_by_its_fit(self):
        box = (Parameter("x", 0.0, 1.0), Parameter("y", 0.0, 1.0))
        settings = peers.create("qei+mle", box, 0, True)._study._settings
        assert (settings.method, settings.fit) == ("qei", "mle")
        assert "expected one of" in peers.probe("qei+mlle")["reason"]

    def test_no_results_is_said_in_words(self, tmp_path):
        with pytest.raises(SystemExit, match="no results"):
            report.write(tmp_path, tmp_path, tmp_path / "kept")

    def test_paired_differences_use_common_seeds_only(self):
        found = difference({0: 1.0, 1: 2.0, 2: 3.0, 9: 99.0}, {0: 0.0, 1: 1.0, 2: 2.0, 8: -99.0})
        assert (found.mean, found.low, found.high, found.seeds) == (1.0, 1.0, 1.0, 3)
        assert found.verdict == "worse"


def test_the_experiments_are_the_papers_and_then_others():
    assert list(EXPERIMENTS)[:6] == ["noise-free", "noisy", "speedup", "logreg", "logreg-noisy", "cnn"]
    assert EXPERIMENTS["speedup"].batch_sizes == (1, 2, 4, 8)
    task = make_task("noisy", "branin", 0, Path("unused"), "")
    assert task.noisy
    assert [(p.low, p.high) for p in task.parameters] == [(-15, 15), (-15, 15)]
    unsaid = make_task("unsaid", "branin", 0, Path("unused"), "")
    assert unsaid.noisy
    observed, true = unsaid.evaluate({"x1": 1.0, "x2": 2.0}, 0)
    assert observed == true
    assert not make_task("noise-free", "branin", 0, Path("unused"), "").noisy


def test_replayed_recommendations_agree_with_recorded_ones(tmp_path):
    """What the lowest mean loses to the best point tried, replayed, is what a study of the same results loses."""
    spec = Spec("noise-free", "branin", "qkg", 4, 1, 4)
    perform(spec, tmp_path)
    records, replayed = (
        recorded(spec.path(tmp_path)),
        recommendations.replay(("noise-free", "branin", "qkg", 1), tmp_path, None),
    )
    assert len(replayed) == len(records) == 5
    task = make_task("noise-free", "branin", 1, None, "")
    study = Study(knowgrad_space(task.parameters), seed=1, noise=0)
    for line, record in zip(replayed, records, strict=True):
        for params, value in zip(record["points"], record["observed"], strict=True):
            study.add(params, value)
        low = study.snapshot().space.decode(minimum(study.snapshot()))
        regret = np.log10(task.truth(clean(low, task.parameters)) - task.optimum)
        assert regret - record["best"]["regret"] == pytest.approx(line["lost"], abs=1e-6)
    assert f"{np.mean([line['lost'] for line in replayed]):+.3f}" in recommendations.report(replayed)
