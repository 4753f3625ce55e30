"""Runs that are paused: they can be continued, which costs the rest only."""

import os
import signal
import subprocess
import sys
import textwrap
from dataclasses import replace

import numpy as np
import pytest

import knowgrad as kg
from knowgrad.acquisition.methods.qkg import QKG
from knowgrad.acquisition.problem import Question
from knowgrad.acquisition.search.sequential import one_point_kg
from knowgrad.advisor.about import about
from knowgrad.advisor.prices import price_of
from knowgrad.advisor.resuming import paused_runs
from knowgrad.errors import ArgumentError, ConflictError, ObjectiveError
from tests.web.serving import client, serving

LAST = 20
SPACE = {"x": (0.0, 1.0), "epochs": kg.Fidelity(1, LAST)}


def value(x, epochs):
    return (x - 0.3) ** 2 + 0.5 / epochs


def price(params):
    return 10.0 * params["epochs"]


def filled(points=((0.0, 20), (0.9, 20), (0.6, 4), (0.1, 1), (0.5, 1), (0.8, 1)), **options):
    study = kg.Study(SPACE, **{"seed": 0, "noise": 0, "cost": price, **options})
    for x, epochs in points:
        study.add({"x": x, "epochs": epochs}, value(x, epochs), check=False)
    return study


def paused(study, x=0.3, at=15, upto=LAST, **said):
    study.enqueue({"x": x, "epochs": upto})
    trial = study.ask()[0]
    study.report(trial, at=at, value=value(x, at))
    return study.pause(trial, **said)


def test_a_paused_run_is_a_result_where_it_stands():
    plain, study = filled(), filled()
    plain.add({"x": 0.3, "epochs": 15}, value(0.3, 15))
    trial = paused(study)
    assert (trial.state, trial.paused, trial.params["epochs"]) == ("complete", True, 15)
    assert trial.cost == price({"epochs": 15})
    assert study.recommend().mean == plain.recommend().mean
    assert study.pause(trial) == trial  # said again


def test_the_price_of_a_continued_run_is_the_rest_only():
    study = filled()
    trial = paused(study)
    found = study.ask()[0]
    assert (found.continues, found.source) == (trial.number, "qkg")
    assert found.params["x"] == 0.3
    assert found.params["epochs"] > 15
    rest = price(found.params) - price(trial.params)
    assert study.price(found) == pytest.approx(rest)
    assert study.price(found.params) == pytest.approx(price(found.params))
    assert study.last_gain.cost == pytest.approx(rest)
    told = study.tell(found, value(**found.params))
    assert told.cost == pytest.approx(rest)
    assert study.spent == pytest.approx(price(found.params))  # both together are one run


@pytest.mark.parametrize(("x", "at", "goes_on"), [(0.3, 2, False), (0.3, 10, True), (0.3, 16, True), (0.95, 16, False)])
def test_the_best_of_what_can_be_done_per_cost_is_proposed(x, at, goes_on):
    """Against brute force: the exact knowledge gradient of every point of a grid and of every rest, per cost."""
    study = filled()
    trial = paused(study, x=x, at=at)
    moment = study.snapshot()
    subject, model = about(moment), moment.model
    domain, none = subject.domain(moment), np.empty((0, 2))
    question = Question(model.model, model.noise, domain, none, 1, target=subject.target)
    sets, _ = QKG().prepare(question, moment.rng(9))
    value_of = one_point_kg(question, sets, model.model)
    grid = moment.space.encode_many([{"x": x, "epochs": e} for x in np.linspace(0, 1, 101) for e in range(1, 21)])
    fresh = value_of.value(grid[:, None]) / price_of(moment).value(grid)
    (run,) = paused_runs(moment, price_of(moment))
    assert run.left == pytest.approx([price(moment.space.decode(row)) - price(trial.params) for row in run.rows])
    assert (run.best(value_of)[0] > fresh.max()) == goes_on
    assert (study.ask()[0].continues is not None) == goes_on


def test_a_run_is_continued_once_and_the_next_pause_is_where_it_goes_on():
    study = filled()
    trial = paused(study)
    first, second = study.ask(), study.ask()
    assert [each.continues for each in (*first, *second)] == [trial.number, None]
    study.expire(first[0])  # its worker was lost: the run can be continued
    assert trial.number in [each.continues for each in study.ask(2)]
    other = filled()
    begun = paused(other, at=4)
    again = other.resume(begun, at=10)
    assert other.ask()[0].id == again.id
    other.report(again.number, at=8, value=value(0.3, 8))
    further = other.pause(again.number)
    assert further.cost == pytest.approx(price({"epochs": 8}) - price({"epochs": 4}))
    left = paused_runs(other.snapshot(), price_of(other.snapshot()))
    assert [each.trial.number for each in left] == [further.number]


def test_a_batch_may_continue_several_runs():
    study = filled()
    runs = {paused(study, x=x, at=17).number for x in (0.28, 0.33)}
    found = study.ask(3)
    continued = [trial.continues for trial in found if trial.continues is not None]
    assert len(continued) == len(set(continued)) >= 1
    assert set(continued) <= runs
    assert study.last_gain > 0.0


def test_the_gain_knows_of_runs_that_can_be_continued():
    study = filled()
    new = study.gain()
    trial = paused(study)
    rests = [price({"epochs": at}) - price(trial.params) for at in range(16, LAST + 1)]
    found = study.gain()
    assert any(found.cost == pytest.approx(rest) for rest in rests)
    assert found / found.cost > new / new.cost
    study.discard(trial, reason="a mistake")
    assert study.gain().cost not in rests


def test_without_paused_runs_nothing_changes():
    plain, study = filled(), filled()
    plain.add({"x": 0.3, "epochs": 15}, value(0.3, 15))
    study.enqueue({"x": 0.3, "epochs": LAST})
    trial = study.ask()[0]
    study.report(trial, at=15, value=value(0.3, 15))
    study.stop(trial)
    assert [t.params for t in study.ask(2)] == [t.params for t in plain.ask(2)]
    assert all(t.continues is None for t in study.trials)


def test_what_was_paid_for_a_rest_is_learned_as_that():
    study = kg.Study(SPACE, seed=0, noise=0)
    for x, epochs in [(0.1, 20), (0.5, 10), (0.9, 5)]:
        study.add({"x": x, "epochs": epochs}, value(x, epochs), cost=7.0 * epochs)
    trial = paused(study, at=10, cost=70.0)
    queued = study.resume(trial)
    study.ask()
    study.tell(queued, value(0.3, 20), cost=70.0)  # ten more epochs
    assert study.price({"x": 0.4, "epochs": 20}) == pytest.approx(140.0, rel=0.02)


def test_what_makes_no_sense_is_refused_and_nothing_is_changed():
    study = filled()
    trial = study.ask()[0]
    version = study.version
    with pytest.raises(ArgumentError, match="report"):
        study.pause(trial)
    with pytest.raises(ConflictError, match="pause"):
        study.resume(trial)
    with pytest.raises(ConflictError, match="larger at"):
        study.resume(0)  # it is at the target
    with pytest.raises(ArgumentError, match="at"):
        study.resume(2, at=21)
    assert study.version == version
    queued = study.resume(2)  # any result below the target may be continued by hand
    assert (queued.state, queued.continues, queued.params["epochs"]) == ("queued", 2, LAST)
    with pytest.raises(ConflictError, match="nobody continues"):
        study.resume(2)
    with pytest.raises(ArgumentError, match="Fidelity"):
        kg.Study({"x": (0.0, 1.0)}).pause(0)


def test_a_run_that_is_continued_reports_only_steps_beyond_where_it_stands():
    study = filled()
    begun = paused(study, at=8)
    study.resume(begun)
    lost = study.ask(lease=0.0)[0]
    again = study.ask()[0]
    version = study.version
    for trial in (lost, again):
        for at in (1, 7, 8):
            with pytest.raises(ArgumentError, match=r"expected more than 8, where trial 6 stands.*; report its own"):
                study.report(trial, at=at, value=value(0.3, at))
    assert study.version == version
    assert study.report(begun, at=8, value=value(0.3, 8)) == study.trials[begun.number]  # of the other: said again
    assert study.report(again, at=9, value=value(0.3, 9)).curve == ((9, value(0.3, 9)),)


def test_an_objective_that_begins_a_continued_run_anew_is_told():
    study = filled()
    study.resume(paused(study, at=8))
    with pytest.raises(ObjectiveError, match="report its own steps only"):
        study.minimize(lambda params: ((at, 0.5 / at) for at in (1, 2)), n_trials=2, progress=False, resumable=True)
    assert study.trials[-1].curve == ()
    assert study.ask()[0].continues == 6  # the run can be continued


def train(params, trial):
    start = 0 if trial.continues is None else CHECKPOINTS[trial.continues]
    BEGUN.append((trial.number, trial.continues, start))
    for epoch in range(start + 1, params["epochs"] + 1):
        CHECKPOINTS[trial.number] = epoch
        yield epoch, value(params["x"], epoch)


CHECKPOINTS: dict[int, int] = {}
BEGUN: list[tuple[int, int | None, int]] = []


def test_a_run_of_an_objective_that_can_be_continued():
    BEGUN.clear(), CHECKPOINTS.clear()
    found = kg.minimize(train, SPACE, n_trials=13, seed=0, noise=0, cost=price, progress=False, resumable=True)
    trials = found.study.trials
    taken_up = [trial for trial in trials if trial.continues is not None]
    assert taken_up
    for trial in taken_up:
        before = trials[trial.continues]
        assert before.paused
        assert before.params["x"] == trial.params["x"]
        assert (trial.number, before.number, before.params["epochs"]) in BEGUN
        assert trial.curve[0][0] == before.params["epochs"] + 1
    ends = {trial.number: trial.params["epochs"] for trial in trials}
    steps = sum(ends[t.number] - (0 if t.continues is None else ends[t.continues]) for t in trials)
    assert found.study.spent == pytest.approx(10.0 * steps)


def test_why_a_run_was_stopped_is_recorded(tmp_path):
    study = filled(storage=tmp_path / "a.db", name="net")
    study.enqueue({"x": 0.95, "epochs": LAST})
    trial = study.ask()[0]
    study.report(trial, at=10, value=value(0.95, 10))
    assert study.worth_continuing(trial)  # what the user queued is never stopped
    study._judged = {trial.number: (study.trials[trial.number].curve, "its rest is worth less")}
    assert study.stop(trial).reason == "its rest is worth less"
    assert study.stop(trial).reason == "its rest is worth less"
    said = study.snapshot().continuing(replace(study.trials[trial.number], source="qkg", state="pending"))
    assert "per cost" in str(said)
    other = paused(study, reason="the queue is needed")
    again = kg.Study.load(tmp_path / "a.db", "net")
    assert again.trials[other.number].reason == "the queue is needed"
    assert again.trials == study.trials


def test_a_lost_continuation_is_offered_again_and_a_copy_keeps_what_belongs_together():
    study = filled()
    trial = paused(study)
    study.resume(trial)
    lost = study.ask(lease=0.0)[0]
    again = study.ask()[0]
    assert (again.retry_of, again.continues) == (lost.number, trial.number)
    study.tell(again, value(**again.params))
    copy = study.copy()
    assert [t.continues for t in copy.trials if t.continues is not None] == [copy.copied.numbers[trial.number]]
    assert copy.trials[copy.copied.numbers[trial.number]].paused


def test_pauses_survive_a_kill(tmp_path):
    script = tmp_path / "run.py"
    script.write_text(
        textwrap.dedent(
            f"""
            import os, signal
            import knowgrad as kg
            study = kg.Study({{"x": (0.0, 1.0), "epochs": kg.Fidelity(1, 20)}}, storage={str(tmp_path / "a.db")!r})
            study.enqueue({{"x": 0.5, "epochs": 20}})
            trial = study.ask()[0]
            study.report(trial, at=3, value=0.25)
            study.pause(trial, cost=3.0)
            study.resume(trial, at=9)
            os.kill(os.getpid(), signal.SIGKILL)
            """
        )
    )
    assert subprocess.run([sys.executable, str(script)], env=os.environ).returncode == -signal.SIGKILL
    first, second = kg.Study.load(tmp_path / "a.db").trials
    assert (first.paused, first.params["epochs"], first.value, first.cost) == (True, 3, 0.25, 3.0)
    assert (second.continues, second.params["epochs"], second.state) == (0, 9, "queued")


def test_over_http(tmp_path):
    filled(storage=tmp_path / "a.db", name="net")
    with serving(tmp_path / "a.db") as service:
        study = client(service).study("net")
        first = study.suggest(1, client_id="a")[0]
        study.report(first["number"], 1, 0.25)
        ended = study.pause(first["number"], cost=1.0, reason="later")
        assert (ended["paused"], ended["reason"], ended["continues"]) == (True, "later", None)
        queued = study.resume(first["number"], at=7)
        assert (queued["continues"], queued["params"]["epochs"]) == (first["number"], 7)
        assert study.suggest(1, client_id="a")[0]["continues"] == first["number"]


def test_what_was_found_of_a_run_is_why_it_is_stopped(monkeypatch):
    study = filled()
    for x in (0.9, 0.95):
        study.enqueue({"x": x, "epochs": LAST})
    bad = study.ask(2)
    for trial in bad:
        study.report(trial, at=10, value=value(trial.params["x"], 10))
    chosen = type(study.snapshot()).continuing
    monkeypatch.setattr(
        "knowgrad.advisor.snapshot.Snapshot.continuing", lambda self, trial: chosen(self, replace(trial, source="qkg"))
    )
    assert not any(study.worth_continuing(trial) for trial in bad)
    assert all("per cost, less than another point" in study.stop(trial).reason for trial in bad)
