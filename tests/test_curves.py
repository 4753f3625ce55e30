"""Learning curves: reports, runs that are stopped, and objectives that yield their steps."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from dataclasses import replace

import pytest

import knowgrad as kg
from knowgrad.advisor.continuing import Continuing
from knowgrad.errors import ArgumentError, ConflictError
from knowgrad.views import curves, looks
from tests.web.serving import client, serving

SPACE = {"x": (0.0, 1.0), "epochs": kg.Fidelity(1, 20)}


def value(x, epochs):
    return (x - 0.3) ** 2 + 0.5 / epochs


def filled(n=7, seed=0, **options):
    study = kg.Study(SPACE, seed=seed, noise=0, **options)
    for _ in range(n):
        for trial in study.ask():
            study.tell(trial, value(**trial.params))
    return study


def test_traces_at_one_step_equal_plain_measurements():
    """A run that reports once and is stopped there is a measurement there."""
    plain, traced = filled(), filled()
    a = plain.enqueue({"x": 0.7, "epochs": 4})
    b = traced.enqueue({"x": 0.7, "epochs": 20})
    plain.ask(), traced.ask()
    plain.tell(a, value(0.7, 4))
    traced.report(b, at=4, value=value(0.7, 4))
    told = traced.stop(b)
    assert told.params == {"x": 0.7, "epochs": 4}
    assert told.state == "complete"
    assert plain.recommend().mean == traced.recommend().mean
    assert plain.recommend().params == traced.recommend().params
    assert [t.params for t in plain.ask(2)] == [t.params for t in traced.ask(2)]


def test_a_report_is_known_to_the_model_while_the_run_goes_on():
    study = filled()
    point = {"x": 0.9, "epochs": 20}
    n = len(study.snapshot().model.done)
    study.enqueue(point)
    trial = study.ask()[0]
    study.report(trial, at=10, value=value(0.9, 10))
    assert study.trials[-1].curve == ((10, value(0.9, 10)),)
    step = study.snapshot().model.done[-1]
    assert (step.params, step.value) == ({"x": 0.9, "epochs": 10}, value(0.9, 10))
    study.expire(trial)  # its worker has vanished: what was reported stays
    assert len(study.snapshot().model.done) == n + 1
    study.report(trial, at=12, value=value(0.9, 12))
    study.tell(trial, value(0.9, 20))
    assert len(study.snapshot().model.done) == n + 3


def test_a_run_that_cannot_be_good_is_not_worth_continuing():
    study = filled(14)
    study.enqueue({"x": 0.95, "epochs": 20})
    trial = study.ask()[0]
    assert study.worth_continuing(trial)  # nothing is known yet
    study.report(trial, at=10, value=value(0.95, 10))
    assert study.worth_continuing(trial)  # what the user queued is never stopped
    chosen = replace(study.trials[trial.number], source="qkg")
    assert not study.snapshot().continuing(chosen).is_worth_it


@pytest.mark.parametrize(
    ("rest", "goes_on", "said"), [(2.0, True, " as much"), (0.95, True, "about"), (0.8, False, "less")]
)
def test_a_near_tie_goes_on(rest, goes_on, said):
    found = Continuing(rest, 1.0)
    assert found.is_worth_it == goes_on
    assert said in str(found)


def test_a_run_is_judged_with_what_earlier_studies_know():
    """As in a study of which the earlier one is a source."""
    old = [({"x": x, "epochs": 20}, value(x, 20)) for x in (0.05, 0.2, 0.35, 0.6, 0.8)]
    before = kg.Study(SPACE, seed=0, noise=0, name="old")
    whole = kg.Study({**SPACE, "(study)": kg.Source(["this", "old"], target="this")}, seed=0, noise=0)
    for params, result in old:
        before.add(params, result)
        whole.add({**params, "(study)": "old"}, result)
    study = kg.Study(SPACE, seed=0, noise=0, learn_from=[before])
    for x, epochs in ((0.1, 20), (0.5, 1), (0.9, 5)):
        study.add({"x": x, "epochs": epochs}, value(x, epochs))
        whole.add({"x": x, "epochs": epochs, "(study)": "this"}, value(x, epochs))
    judged = []
    for each, more in ((study, {}), (whole, {"(study)": "this"})):
        each.enqueue({"x": 0.4, "epochs": 20, **more})
        trial = each.ask()[0]
        each.report(trial, at=3, value=value(0.4, 3))
        running = replace(each.trials[trial.number], source="qkg")
        judged.append(each.snapshot().continuing(running, more))
    assert judged[0] == judged[1]
    assert judged[0].rest > 0.0


def test_what_makes_no_sense_is_refused_and_nothing_is_changed(tmp_path):
    study = filled(2, storage=str(tmp_path / "a.db"))
    trial = study.ask()[0]
    top = trial.params["epochs"]
    version = study.version
    for at, said in ((0, 1.0), (1.5, 1.0), (21, 1.0), ("three", 1.0), (1, float("nan"))):
        with pytest.raises(ArgumentError):
            study.report(trial, at=at, value=said)
    with pytest.raises(ArgumentError, match="report"):
        study.stop(trial)
    assert study.version == version
    study.report(trial, at=1, value=0.5)
    study.report(trial, at=1, value=0.5)
    assert study.version == version + 1
    with pytest.raises(ConflictError):
        study.report(trial, at=1, value=0.6)
    if top < 20:
        with pytest.raises(ArgumentError, match="at most"):
            study.report(trial, at=20, value=0.5)
    with pytest.raises(ConflictError):
        study.report(0, at=1, value=0.5)
    plain = kg.Study({"x": (0.0, 1.0)})
    first = plain.ask()[0]
    with pytest.raises(ArgumentError, match="Fidelity"):
        plain.report(first, at=1, value=0.5)
    assert kg.Study.load(str(tmp_path / "a.db")).trials == study.trials


def train(params):
    for epoch in range(1, params["epochs"] + 1):
        yield epoch, value(params["x"], epoch)


@pytest.mark.parametrize("workers", [1, 2])
def test_an_objective_yields_its_steps(workers):
    found = kg.minimize(train, SPACE, n_trials=8, workers=workers, seed=0, noise=0, progress=False)
    for trial in found.study.trials:
        assert trial.state == "complete"
        assert trial.value == value(**trial.params)  # at the fidelity that it has reached
        assert trial.curve[-1] == (trial.params["epochs"], trial.value)
    assert found.params["epochs"] == 20


def test_an_objective_that_breaks_in_mid_curve_has_failed_and_its_steps_stay():
    def breaks(params):
        yield 1, value(params["x"], 1)
        if params["x"] > 0.5:
            raise ValueError("out of memory")

    found = kg.minimize(breaks, SPACE, n_trials=6, seed=0, progress=False)
    assert {trial.state for trial in found.study.trials} == {"complete", "failed"}
    for trial in found.study.trials:
        assert trial.curve == ((1, value(trial.params["x"], 1)),)


def test_reports_survive_a_kill(tmp_path):
    path = tmp_path / "killed.db"
    script = tmp_path / "run.py"
    script.write_text(
        textwrap.dedent(
            f"""
            import time
            import knowgrad as kg

            def train(params):
                for epoch in range(1, params["epochs"] + 1):
                    yield epoch, 1.0 / epoch
                    time.sleep(0.05)

            space = {{"x": (0.0, 1.0), "epochs": kg.Fidelity(1, 20)}}
            study = kg.Study(space, storage={str(path)!r})
            study.enqueue({{"x": 0.5, "epochs": 20}})
            study.minimize(train, n_trials=1, progress=False)
            """
        )
    )
    process = subprocess.Popen([sys.executable, str(script)])
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        time.sleep(0.05)
        if path.exists() and process.poll() is None:
            try:
                trials = kg.Study.load(str(path)).trials
            except kg.errors.KnowgradError:
                continue
            if trials and len(trials[0].curve) > 2:
                os.kill(process.pid, signal.SIGKILL)
                break
        elif process.poll() is not None:
            break
    process.wait()
    trial = kg.Study.load(str(path)).trials[0]
    assert trial.state == "pending"
    assert 2 < len(trial.curve) < 20
    assert trial.curve == tuple((epoch, 1.0 / epoch) for epoch in range(1, len(trial.curve) + 1))


def test_over_http(tmp_path):
    path = tmp_path / "served.db"
    kg.Study(SPACE, storage=path, name="net", seed=0, noise=0)
    with serving(path) as service:
        study = client(service).study("net")
        first, second = study.suggest(2, client_id="a")
        study.complete(first["number"], 0.5, cost=2.0)
        told = study.report(second["number"], 1, 0.25)
        assert told["curve"] == [[1, 0.25]]
        assert study.worth_continuing(second["number"])
        ended = study.end(second["number"], cost=1.0)
        assert (ended["state"], ended["value"], ended["cost"], ended["params"]["epochs"]) == ("complete", 0.25, 1.0, 1)
    assert kg.Study.load(path).spent == 3.0


def test_figures_of_looks_and_curves():
    study = filled()
    study.enqueue({"x": 0.9, "epochs": 20})
    trial = study.ask()[0]
    with pytest.raises(ArgumentError, match="kind"):
        study.plot("curves")
    study.report(trial, at=4, value=value(0.9, 4))
    view = curves(study.snapshot())
    assert view.each[0].at == (4.0,)
    assert (view.each[0].ahead[0], view.each[0].ahead[-1]) == (4.0, 20.0)
    assert study.plot("curves").data[0].y == (value(0.9, 4),)
    shown = looks(study.snapshot())
    assert shown.at == tuple(trial.params["epochs"] for trial in study.trials if trial.state == "complete")
    assert shown.spent[-1] == pytest.approx(sum(at / 20 for at in shown.at))
    assert len(study.plot("fidelity").data) == 2
