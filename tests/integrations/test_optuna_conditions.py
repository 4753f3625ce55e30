"""Optuna studies over a space with conditions."""

import optuna
import pytest

import knowgrad as kg
from knowgrad.integrations.optuna import KnowledgeGradientSampler, export_study, recommend

SPACE = {
    "kind": ["plain", "wavy"],
    "x": kg.Float(0.0, 1.0),
    "period": kg.Int(1, 5, when={"kind": "wavy"}),
}


def objective(trial):
    kind = trial.suggest_categorical("kind", ["plain", "wavy"])
    value = (trial.suggest_float("x", 0.0, 1.0) - 0.3) ** 2 + (kind == "plain")
    return value + (0.1 * trial.suggest_int("period", 1, 5) if kind == "wavy" else 0.0)


@pytest.fixture(scope="module")
def study():
    optuna.logging.disable_default_handler()
    sampler = KnowledgeGradientSampler(space=SPACE, seed=0)
    study = optuna.create_study(sampler=sampler)
    study.optimize(objective, n_trials=12)
    return study


def test_every_trial_is_one_of_the_space(study):
    space = kg.Space(SPACE)
    assert {"period" in trial.params for trial in study.trials} == {True, False}
    for trial in study.trials:
        assert space.validate(trial.params) == trial.params
        assert ("period" in trial.params) == (trial.params["kind"] == "wavy")


def test_what_exists_is_chosen_and_recommended(study, caplog):
    assert "drawn at random" not in caplog.text
    found = recommend(study)
    assert found.n_observed == 12
    assert found.params["kind"] == "wavy"
    assert "period" in found.params


def test_a_study_with_conditions_is_exported(tmp_path):
    made = kg.Study(SPACE, seed=0, name="there")
    for trial in made.ask(6):
        made.tell(trial, trial.params["x"])
    target = export_study(made, f"sqlite:///{tmp_path / 'o.db'}")
    assert [trial.params for trial in target.trials] == [dict(trial.params) for trial in made.trials]
