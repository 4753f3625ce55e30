"""The pruner for Optuna: reports as learning curves, and runs that are not worth their rest."""

from __future__ import annotations

import math

import optuna
import pytest
from optuna.distributions import FloatDistribution, IntDistribution
from optuna.trial import TrialState, create_trial

import knowgrad as kg
from knowgrad.advisor.snapshot import Snapshot
from knowgrad.errors import ArgumentError
from knowgrad.integrations.optuna import KnowledgeGradientPruner, KnowledgeGradientSampler, recommend
from knowgrad.integrations.optuna.recommendation import seen
from knowgrad.integrations.steps import KEY
from knowgrad.trial import Settings, Trial

optuna.logging.set_verbosity(optuna.logging.ERROR)
X = {"x": FloatDistribution(0.0, 1.0)}
LAST = 20


def value(x, epochs):
    return (x - 0.3) ** 2 + 0.5 / epochs


def curve(x, end, first=0):
    return {epoch - 1 + first: value(x, epoch) for epoch in range(1, end + 1)}


def ran(x, end=LAST, first=0, state=TrialState.COMPLETE):
    reports = curve(x, end, first)
    return create_trial(
        state=state, params={"x": x}, distributions=X, value=reports[max(reports)], intermediate_values=reports
    )


def study_of(*trials, sampler=None, pruner=None):
    study = optuna.create_study(
        sampler=sampler or KnowledgeGradientSampler(seed=3, noise=0), pruner=pruner or KnowledgeGradientPruner()
    )
    study.add_trials(trials)
    return study


SPREAD = [ran(x) for x in (0.0, 0.15, 0.5, 0.8, 1.0, 0.33, 0.28)]


def running(study, x, end):
    trial = study.ask({"x": FloatDistribution(x, x)} if x is not None else X)
    for step, reported in curve(trial.params["x"], end).items():
        trial.report(reported, step)
    return trial


def test_a_run_that_cannot_be_good_is_pruned_and_a_promising_one_is_not(monkeypatch):
    """Of a function that the whole runs leave open."""
    plain = value
    monkeypatch.setitem(globals(), "value", lambda x, epochs: plain(x, epochs) + 0.03 * math.sin(12.0 * x))
    study = study_of(*(ran(x) for x in (0.0, 0.15, 0.5, 0.8, 1.0, 0.33, 0.28)))
    bad = running(study, 0.95, 4)
    assert bad.should_prune()
    assert bad.should_prune()  # the same reports, the same answer
    assert not running(study, 0.22, 1).should_prune()
    assert not study.ask(X).should_prune()  # nothing is known yet


def test_it_decides_as_worth_continuing_does():
    study = study_of(*SPREAD)
    trial = study.ask(X)
    for step, reported in curve(trial.params["x"], 8).items():
        trial.report(reported, step)
    space = kg.Space({"x": (0.0, 1.0), KEY: kg.Fidelity(1, LAST, log=True)})
    done = [
        Trial(
            str(i),
            i,
            {**t.params, KEY: LAST},
            "complete",
            t.value,
            curve=tuple((step + 1, v) for step, v in t.intermediate_values.items()),
        )
        for i, t in enumerate(SPREAD)
    ]
    told = tuple((epoch, value(trial.params["x"], epoch)) for epoch in range(1, 9))
    mine = Trial("7", 7, {**trial.params, KEY: LAST}, "pending", curve=told)
    direct = Snapshot(space, [*done, mine], Settings(3, noise=0)).continuing(mine, {KEY: LAST})
    snapshot, _, reports = seen("prune", study, None)
    found = snapshot.continuing(snapshot.trials[-1], reports.steps.whole)
    assert (found.rest, found.other) == (direct.rest, direct.other)
    assert trial.should_prune() is not direct.is_worth_it


def test_pruned_trials_are_results_at_the_step_they_reached():
    study = study_of(*SPREAD, ran(0.6, 5, state=TrialState.PRUNED))
    snapshot, _, reports = seen("recommend", study, None)
    pruned = snapshot.trials[-1]
    assert (pruned.state, pruned.value, pruned.params) == ("complete", value(0.6, 5), {"x": 0.6, KEY: 5})
    assert reports.steps.whole == {KEY: LAST}
    assert recommend(study).params.keys() == {"x"}
    assert recommend(study).params["x"] == pytest.approx(0.3, abs=0.03)
    assert study.ask(X).params.keys() == {"x"}


def test_steps_that_are_counted_from_one_are_the_same():
    zero, one = (study_of(*(ran(t.params["x"], first=first) for t in SPREAD)) for first in (0, 1))
    a, b = seen("recommend", zero, None)[0], seen("recommend", one, None)[0]
    assert [t.curve for t in a.trials] == [t.curve for t in b.trials]
    assert zero.ask(X).params == one.ask(X).params


def test_a_trial_that_diverged_and_was_pruned_has_failed():
    broken = create_trial(
        state=TrialState.PRUNED, params={"x": 0.9}, distributions=X, intermediate_values={0: 1.0, 1: math.nan}
    )
    study = study_of(*SPREAD, broken)
    last = seen("recommend", study, None)[0].trials[-1]
    assert (last.state, last.curve) == ("failed", ((1, 1.0),))


def test_with_a_fidelity_in_the_space_suggestions_choose_it_and_steps_are_its_values():
    space = {"x": kg.Float(0.0, 1.0), "epochs": kg.Fidelity(1, LAST)}
    sampler = KnowledgeGradientSampler(seed=0, space=space, noise=0)
    study = optuna.create_study(sampler=sampler, pruner=KnowledgeGradientPruner(n_startup_trials=2))

    def train(trial):
        x, epochs = trial.suggest_float("x", 0.0, 1.0), trial.suggest_int("epochs", 1, LAST)
        for epoch in range(1, epochs + 1):
            trial.report(value(x, epoch), epoch)
            if trial.should_prune():
                raise optuna.TrialPruned
        return value(x, epochs)

    study.optimize(train, n_trials=10)
    assert len({trial.params["epochs"] for trial in study.trials}) > 2
    snapshot = seen("recommend", study, None)[0]
    for ours, theirs in zip(snapshot.trials, study.trials, strict=True):
        assert ours.state == "complete"
        assert ours.params == {"x": theirs.params["x"], "epochs": theirs.last_step}
        assert ours.value == value(ours.params["x"], ours.params["epochs"])
    found = recommend(study)
    assert found.params["epochs"] == LAST
    assert found.params["x"] == pytest.approx(0.3, abs=0.05)


def test_a_whole_study_costs_less_with_the_pruner():
    spent = []
    for pruner in (optuna.pruners.NopPruner(), KnowledgeGradientPruner(n_startup_trials=3)):
        steps = 0

        def train(trial):
            nonlocal steps
            x, y = trial.suggest_float("x", 0.0, 1.0), trial.suggest_float("y", 0.0, 1.0)
            for step in range(LAST):
                steps += 1
                trial.report(value(x, step + 1) + (y - 0.6) ** 2, step)
                if trial.should_prune():
                    raise optuna.TrialPruned
            return value(x, LAST) + (y - 0.6) ** 2

        study = optuna.create_study(sampler=KnowledgeGradientSampler(seed=1, noise=0), pruner=pruner)
        study.optimize(train, n_trials=10)
        found = recommend(study).params
        assert (found["x"], found["y"]) == pytest.approx((0.3, 0.6), abs=0.05)
        spent.append(steps)
    assert spent[1] < 0.9 * spent[0]


def test_what_is_never_pruned():
    few = study_of(*SPREAD[:4])
    assert not running(few, 0.95, 4).should_prune()  # a start of five
    queued = study_of(*SPREAD)
    queued.enqueue_trial({"x": 0.95})
    assert not running(queued, None, 4).should_prune()  # what the user asked for
    whole = study_of(*SPREAD)
    assert not running(whole, None, LAST).should_prune()  # nothing is left of it
    early = study_of(*SPREAD, pruner=KnowledgeGradientPruner(n_warmup_steps=9))
    assert not running(early, None, 4).should_prune()
    unknown = study_of(*SPREAD)
    other = unknown.ask()
    other.suggest_float("y", 0.0, 1.0)
    other.report(9.0, 1)
    assert not other.should_prune()  # it has no parameter that anything is known about


def test_beside_other_samplers_and_parameters_that_some_trials_lack():
    study = optuna.create_study(
        sampler=optuna.samplers.RandomSampler(seed=0), pruner=KnowledgeGradientPruner(LAST, n_startup_trials=4)
    )

    def train(trial):
        x = trial.suggest_float("x", 0.0, 1.0)
        extra = trial.suggest_float("y", 0.0, 1.0) if trial.suggest_categorical("kind", ["a", "b"]) == "b" else 0.0
        for step in range(LAST):
            trial.report(value(x, step + 1) + extra, step)
            if trial.should_prune():
                raise optuna.TrialPruned
        return value(x, LAST) + extra

    study.optimize(train, n_trials=10)
    states = [trial.state for trial in study.trials]
    assert TrialState.PRUNED in states
    assert set(states) == {TrialState.PRUNED, TrialState.COMPLETE}


def test_settings_that_make_no_sense_are_refused():
    for options in ({"n_steps": 0}, {"n_startup_trials": -1}, {"n_warmup_steps": 1.5}):
        with pytest.raises(ArgumentError, match=next(iter(options))):
            KnowledgeGradientPruner(**options)


def test_a_fidelity_is_a_number_to_optuna():
    study = optuna.create_study(sampler=KnowledgeGradientSampler(seed=0, space={"n": kg.Fidelity(1, 9)}))
    assert study.sampler.infer_relative_search_space(study, None) == {"n": IntDistribution(1, 9)}
